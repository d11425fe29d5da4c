"""Files of games: golden ones and random ones with bytes flipped, lines moved and values made impossible."""

import io
import json
import random
from contextlib import suppress

from hypothesis import strategies as st

from companion.errors import CompanionError
from companion.logfile import BadLine, read_log, write_log
from tests.fuzz import wild
from tests.fuzz.bounded import Broken
from tests.fuzz.plays import GOLDEN, NAMES, play
from tests.fuzz.world import World
from web.commands.replay import report

LIMIT_S = 2.0
SOME_TIME = "2026-02-07T19:00:00.000+00:00"

# Written into a line in place of a value: JSON's own borders, and what only Python takes for JSON.
TOKENS = (
    "NaN",
    "-Infinity",
    "1e999",
    "-0",
    "0.1",
    "9" * 400,
    "9" * 5_000,
    "[" * 400,
    "[" * 200 + "]" * 200,
    '{"a":' * 300 + "1" + "}" * 300,
    '"\\ud800"',
    '"\\u0000"',
    "true",
    "null",
    '""',
    '"' + "x" * 25_000 + '"',
)
TIMES = (
    "1970-01-01T00:00:00+14:00",
    "2999-12-31T23:59:59.999-12:00",
    "0001-01-01T00:00:00+23:59",
    "2026-02-30T00:00:00+00:00",
    "2026-02-07",
    "2026-02-07T19:00:00",
    "2026-W06-6T19:00:00Z",
    "20260207T190000.123456Z",
    "2026-02-07T19:00:00+00:00:00.000001",
)

# Events of one player, and how often another undoes and redoes what came before all of them.
LONG = ((4_900, 0), (100, 2_400), (1_000, 100), (2_500, 20), (2_500, 1_200))


class Subject:
    """Files, read as ``dungeon replay`` reads them and imported as a phone does."""

    LIMIT_S = LIMIT_S

    def __init__(self):
        self.world = World()
        self._logs = [path.read_text("utf-8").splitlines() for path in GOLDEN] + random_logs(
            self.world.tables
        )

    def close(self):
        """Forget everything."""
        self.world.close()

    def one(self, case):
        """Read a mutated file and import it; or read one that is as long as may be."""
        if case.chance(50):
            events, undos = case.draw(st.sampled_from(LONG))
            case.do(f"read_log(long_file({events}, {undos}))")
            with suppress(BadLine):
                read_log(long_file(events, undos))
            case.answered("a long game")
            return
        data = self._file(case)
        case.do(f"check_file(world, {data!r})")
        case.answered(check_file(self.world.renewed(after=60), data))

    def _file(self, case):
        lines = list(case.draw(st.sampled_from(self._logs)))
        lines = lines[: case.draw(st.integers(1, len(lines)))]
        for _ in range(case.draw(st.integers(0, 4))):
            self._mutate_line(case, lines)
        data = "\n".join(lines).encode("utf-8", "surrogatepass")
        for _ in range(case.draw(st.sampled_from((0, 0, 0, 1, 3)))):
            data = flipped(case, data)
        if case.chance(12):
            data = (
                case.draw(st.sampled_from((b"\xef\xbb\xbf", b"\xff\xfe", b"\x00", b"\r\n", b"\x1f\x8b")))
                + data
            )
        return data

    def _mutate_line(self, case, lines):
        at = case.draw(st.integers(0, len(lines) - 1))
        how = case.draw(
            st.sampled_from(("value", "value", "value", "token", "time", "double", "drop", "swap", "steer"))
        )
        if how == "double":
            lines.insert(at, lines[at])
        elif how == "drop" and len(lines) > 1:
            del lines[at]
        elif how == "swap":
            other = case.draw(st.integers(0, len(lines) - 1))
            lines[at], lines[other] = lines[other], lines[at]
        elif how == "steer":
            lines.insert(at + 1, self._steering(case, at))
        else:
            lines[at] = self._mutated(case, lines[at], how)

    def _steering(self, case, at):
        number = case.draw(st.one_of(st.integers(0, at + 1), wild.numbers))
        body = case.draw(
            st.sampled_from(
                ({"type": "undone", "event": number}, {"type": "redone"}, {"type": "rewound", "to": number})
            )
        )
        return json.dumps({**body, "by": case.draw(st.integers(-1, 4))})

    def _mutated(self, case, line, how):
        try:
            body = json.loads(line)
        except ValueError:
            return line
        if not isinstance(body, dict) or not body:
            return line
        if how == "value":
            return json.dumps(wild.mutated(case, body, wild.words_in(body)), ensure_ascii=case.chance(2))
        if how == "time":
            body["created" if "game" in body else "at"] = case.draw(st.sampled_from(TIMES))
            return json.dumps(body)
        key = case.draw(st.sampled_from(sorted(body)))
        token = case.draw(st.sampled_from(TOKENS))
        if case.chance(3):  # a second value for the same name
            return f"{json.dumps(body)[:-1]}, {json.dumps(key)}: {token}}}"
        body[key] = "HERE"
        return json.dumps(body).replace('"HERE"', token)


def flipped(case, data):
    """Return some bytes with one changed, cut out, or the end missing."""
    if not data:
        return data
    at = case.draw(st.integers(0, len(data) - 1))
    how = case.draw(st.sampled_from(("flip", "flip", "cut", "out", "in")))
    if how == "flip":
        return data[:at] + bytes([data[at] ^ case.draw(st.integers(1, 255))]) + data[at + 1 :]
    if how == "cut":
        return data[:at]
    if how == "out":
        return data[:at] + data[at + case.draw(st.integers(1, 40)) :]
    return data[:at] + case.draw(st.binary(min_size=1, max_size=4)) + data[at:]


def random_logs(tables):
    """Return a file of every game, played at random."""
    found = []
    for number, game in enumerate(("dungeon-drop", "welcome", "welcome-back", "apprentis", "guilds")):
        code = tables.create(game, NAMES[:3], {})
        play(tables, code, 60, random.Random(number))
        found.append("".join(write_log(tables.open(code), created=SOME_TIME)).splitlines())
    return found


def long_file(events, undos):
    """Return the lines of a game in which somebody undoes, again and again, what lies many events back."""
    head, first = GOLDEN[0].read_text("utf-8").splitlines()[:2]
    body = {key: value for key, value in json.loads(first).items() if key not in ("at", "action")}
    others = json.dumps({**body, "by": 1, "player": 1})
    there_and_back = [json.dumps({"type": "undone", "event": 1, "by": 0}), '{"type": "redone", "by": 0}']
    return [head, json.dumps(body), *[others] * events, *there_and_back * undos]


def check_file(world, data):
    """Read, write and read again, and import a file; return what became of it."""
    try:
        journal, created = read_log(data.decode("utf-8-sig").split("\n"))
    except UnicodeDecodeError:
        journal, kind = None, "no text"
    except BadLine as error:
        journal, kind = None, "bad line"
        if not str(error).startswith(f"Line {error.line}: "):
            raise Broken("an error does not name its line", str(error)) from None
    if journal is not None:
        kind = "a game"
        check_again(journal, created or SOME_TIME)
        json.dumps(report(journal), allow_nan=False).encode()
    check_import(world, data, journal)
    return kind


def check_again(journal, created):
    """Raise if a written game is not read as the same."""
    text = "".join(write_log(journal, created=created))
    try:
        again, again_created = read_log(text.encode().decode().split("\n"))
    except CompanionError as error:
        raise Broken("a written game cannot be read again", str(error)) from None
    if (again.state, again.steps, again.entries) != (journal.state, journal.steps, journal.entries):
        raise Broken("a written game is read as another one", f"{again.state} instead of {journal.state}")
    if again_created != created:
        raise Broken("a written game is as old as another one", f"{again_created} instead of {created}")


def check_import(world, data, journal):
    """Import a file as a phone does; raise if reading it says otherwise, or it does not come back."""
    before = world.record()
    answer = send_file(world.phone, data)
    world.check_answer(answer)
    if (answer.status_code == 303) != (journal is not None) or answer.status_code not in (303, 400):
        raise Broken("the form takes other files than the command", f"{answer.status_code}")
    if journal is None:
        if world.record() != before:
            raise Broken("a refused file left something behind")
        return
    code = answer.location.split("/")[2]
    world.check_table(code)
    if world.tables.open(code).state != journal.state:
        raise Broken("an imported game is another one")
    world.check_pages(code, ("", "history/", "seats/", "result", "result.csv"), ("?watch=1", "tv"))
    exported = world.phone.get(f"/t/{code}/log.jsonl")
    world.check_answer(exported)
    if exported.status_code == 409:  # holds secrets
        return
    copied = send_file(world.phone, exported.data)
    if copied.status_code != 303:
        raise Broken("an exported game cannot be imported", copied.text[:300])
    again = world.phone.get(f"/t/{copied.location.split('/')[2]}/log.jsonl")
    if again.data != exported.data:
        raise Broken("an exported game is imported as another one")


def send_file(phone, data):
    """Import a file."""
    return phone.post("/import", {"file": (io.BytesIO(data), "game.jsonl")}, live=True)
