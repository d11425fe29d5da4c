"""Tables of cubes as JSON files for ``dungeon rooms``, with values made impossible, and its options."""

import json
import tempfile
from math import cos, pi, sin
from pathlib import Path

from click.testing import CliRunner
from hypothesis import strategies as st

from tests.fuzz import wild
from tests.fuzz.bounded import Broken
from tests.fuzz.logs import TOKENS, flipped
from web.command_line import dungeon

LIMIT_S = 10.0
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "table.json"
WORDS = ("pillar", "gold", "dragon", "stairs", "relic", "gem_pink", "small", "large", "huge")
BONUS = [{"points": 2, "when": "each", "what": "cubes", "kinds": ["gold"], "size": None, "number": 1}]

# Where nothing can be told apart any more, or everything is infinitely thin or far away.
PLACES = (0.0, -0.0, 1e-9, 1e-300, 0.1, 8.0, 999_990.0, -999_990.0)
NOWHERE = (1e6, 1e12, -1e12, 1.0000001e12, 1e300, float("inf"), float("nan"))
LONG = (8.0, 1e-3, 0.01, 100.0, 1e5)

# What may be asked, and at the end of each what may not.
OPTIONS = {
    "--hp": ("1", "8", "99", "0"),
    "--damage": ("0", "1", "7", "98"),
    "--reserve": ("gold=2,shield=1", "potion=99,shield=99,key=99,chest=99", "", "gold=-1"),
    "--gems": ("clear=0,blue=0,pink=0", "clear=99", "red=1"),
    "--doubt": ("0", "10", "1e-300", "nan"),
    "--top": ("1", "3", "99999999999999999999", "0"),
    "--move": ("0=0,0", "1=1e6,-1e6", "3=1e-300,1e-300", "0=nan,0"),
    "--next": ("1", "8", "99", "100"),
}
FLAGS = ("--json", "--pawns", "--picture", "--readings")


class Subject:
    """Tables, read by the command in this process."""

    LIMIT_S = LIMIT_S

    def __init__(self):
        self._example = json.loads(EXAMPLE.read_text("utf-8"))

    def close(self):
        """Nothing is open."""

    def one(self, case):
        """Ask for the rooms of a mutated table."""
        data, bonus = self._file(case), None
        options = self._options(case)
        if case.chance(8):
            bonus = _json_text(wild.mutated(case, BONUS, ("each", "most", "sets", "typed", *WORDS)))
        case.do(f"check_rooms({data!r}, {options!r}, {bonus!r})")
        case.answered(check_rooms(data, options, bonus))

    def _file(self, case):
        cubes = case.draw(st.permutations(self._example["cubes"]).map(lambda all: all[:30]))
        cubes = cubes[: case.draw(st.integers(0, 30))]
        table = {**self._example, "cubes": [dict(cube) for cube in cubes]}
        for _ in range(case.draw(st.sampled_from((0, 0, 0, 1, 2)))):
            table = wild.mutated(case, table, WORDS)
        if isinstance(table, dict) and isinstance(table.get("cubes"), list):
            self._move(case, [cube for cube in table["cubes"] if isinstance(cube, dict)])
        text = _json_text(table)
        if case.chance(10):
            number = case.draw(st.sampled_from(TOKENS))
            text = text.replace(str(case.draw(st.sampled_from((0, 1, 8, "small", "pillar")))), number, 1)
        data = text.encode("utf-8", "surrogatepass")
        return flipped(case, data) if case.chance(8) else data

    def _move(self, case, cubes):
        """Put some cubes where nobody would, or on top of each other, or make them no cubes."""
        usual = st.one_of(st.sampled_from(PLACES), st.floats(-300, 300))
        for _ in range(case.draw(st.integers(0, 4)) if cubes else 0):
            cube = case.draw(st.sampled_from(cubes))
            place = st.sampled_from(NOWHERE) if case.chance(20) else usual
            x, y = case.draw(place), case.draw(place)
            if case.chance(2):
                cube.pop("footprint_mm", None)
                cube["centre_mm"], cube["yaw_deg"] = [x, y], case.draw(place)
            else:
                cube["footprint_mm"] = self._outline(case, x, y)

    def _outline(self, case, x, y):
        """Return corners around a place, seldom of a cube."""
        corners = case.draw(st.sampled_from((4, 3, 16, 8, 2, 17)))
        width, height = case.draw(st.sampled_from(LONG)), case.draw(st.sampled_from(LONG))
        slips = [case.draw(st.sampled_from((0, 0, 0.4))) for _ in range(corners)]
        turns = [2 * pi * (number + slip) / corners for number, slip in enumerate(slips)]
        return [[x + width * cos(turn), y + height * sin(turn)] for turn in turns]

    def _options(self, case):
        chosen = []
        for name in case.draw(st.lists(st.sampled_from(sorted(OPTIONS)), max_size=3, unique=True)):
            values = OPTIONS[name] if case.chance(10) else OPTIONS[name][:-1]
            chosen += [name, case.draw(st.sampled_from(values))]
        flags = case.draw(st.lists(st.sampled_from(FLAGS), max_size=3, unique=True))
        return [*chosen, *flags, *(("--json",) if "--readings" in flags and "--json" not in flags else ())]


def _json_text(value):
    return json.dumps(value)


def check_rooms(data, options, bonus=None):
    """Ask for the rooms of a table; return what became of it."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["rooms", "-"]
        for option in options:
            arguments += [option, f"{folder}/rooms.svg"] if option == "--picture" else [option]
        if bonus is not None:
            Path(folder, "bonus.json").write_text(bonus, encoding="utf-8")
            arguments += ["--bonus", f"{folder}/bonus.json"]
        result = CliRunner().invoke(dungeon, arguments, input=data)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise Broken("the command crashed") from result.exception
    lines = result.stderr.splitlines()
    if result.exit_code == 2:
        if result.stdout or len(lines) != 1 or not lines[0].startswith("dungeon: "):
            raise Broken("an error is not one line", result.output[:300])
        return "refused"
    if result.exit_code or lines:
        raise Broken(f"exit status {result.exit_code}", result.stderr[:300])
    if "--json" in options:
        json.loads(result.stdout, parse_constant=_no_json)
    return "rooms"


def _no_json(word):
    raise Broken("the answer is not JSON", word)
