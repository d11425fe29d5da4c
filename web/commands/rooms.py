"""``dungeon rooms``: the best rooms of a Dungeon Drop table for a hero."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from web.commands.counts import counts_of, length_mm, move_of
from web.commands.small_file import read_small

if TYPE_CHECKING:
    from companion.dungeon_drop.advice import Advice
    from companion.dungeon_drop.deny import Denial
    from companion.dungeon_drop.hero import Hero
    from companion.dungeon_drop.pawns import HeatMap, Spot
    from companion.dungeon_drop.quests import Bonus
    from companion.dungeon_drop.rooms import Rooms

PEOPLE_READ = 10  # rooms listed where nobody asked for a number
DRAWN = 3  # rooms drawn where nobody asked for a number
WANTED = 3  # rooms listed that the next player would love most
# The reserve holds what was collected; more than the box has is a typing mistake.
MOST_HELD = 99

TREASURES = ("gold", "key", "chest", "gem_clear", "gem_blue", "gem_pink", "potion", "shield", "relic")
MONSTERS = ("goblin", "troll", "dragon")

reserve_of = counts_of(
    (*TREASURES, *MONSTERS),
    aliases={"clear": "gem_clear", "blue": "gem_blue", "pink": "gem_pink"},
    most=MOST_HELD,
)


@click.command()
@click.argument("table", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--hp", default=8, show_default=True, type=click.IntRange(1, 99), help="Hit points of the hero."
)
@click.option("--damage", default=0, show_default=True, type=click.IntRange(0, 98), help="Damage so far.")
@click.option(
    "--reserve",
    default="",
    type=reserve_of,
    metavar="COUNTS",
    help="What the hero holds: gold=2,shield=1,key=1",
)
@click.option(
    "--gems",
    default="clear=1,blue=2,pink=3",
    show_default=True,
    type=counts_of(("clear", "blue", "pink"), most=MOST_HELD),
    metavar="COUNTS",
    help="What the quest pays for each gem.",
)
@click.option("--bonus", type=click.Path(path_type=Path), help="JSON file with the quest's bonus.")
@click.option(
    "--doubt",
    default=1.5,
    show_default=True,
    type=length_mm,
    metavar="MM",
    help="How many mm off a position may be (19 of 20 are better): what is nearer to an edge is doubtful.",
)
@click.option("--top", type=click.IntRange(1), help="Only the best K rooms.  [default: 10, with --json all]")
@click.option(
    "--move", type=move_of, metavar="ID=X,Y", multiple=True, help="What if cube ID were at X,Y (in mm)?"
)
@click.option(
    "--next",
    "next_hp",
    type=click.IntRange(1, 99),
    help="Hit points of the next player: what is left to them?",
)
@click.option("--next-damage", default=0, type=click.IntRange(0, 98), help="Their damage so far.")
@click.option("--next-reserve", default="", type=reserve_of, metavar="COUNTS", help="What they hold.")
@click.option("--pawns", is_flag=True, help="Where would others' pawns stand best? (teamwork mode)")
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the table and the best rooms (3, or K up to 7) into a .png or .svg file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--readings", is_flag=True, help="With --json: also the worst, best and expected gain of each room."
)
def rooms(
    table: Path, as_json: bool, readings: bool, top: int | None, picture: Path | None, **options: Any
) -> None:
    """Find every legal room of the cubes in TABLE (JSON, or - for standard input) and rank them for a hero.

    TABLE is what "dungeon scan --json" prints, or {"cubes": [{"id": 0, "type": "pillar", "size": "small",
    "centre_mm": [10, 20], "yaw_deg": 30}, ...]}.
    """
    from companion.dungeon_drop.advice import advise
    from companion.dungeon_drop.report import report

    if picture and picture.suffix.lower() not in (".png", ".svg"):
        raise click.BadParameter(f"{picture}: a picture must end in .png or .svg", param_hint="--picture")
    if readings and not as_json:
        raise click.UsageError("--readings needs --json")
    hero = _hero(options)
    advice = _moved(advise(_find(table, options["doubt"]), hero, options["doubt"]), options["move"])
    theirs, left = _denials(advice, options, top)
    heat, spots = _pawns(advice) if options["pawns"] else (None, ())
    if picture:
        _draw(picture, advice, top or DRAWN, heat, spots)
    if as_json:
        values = report(advice, top, readings=readings)
        if options["pawns"]:
            values["pawns"] = [_spot(spot) for spot in spots]
        if options["next_hp"]:
            values["wanted"] = report(theirs, WANTED)["rooms"] if theirs else []
            values["denials"] = [_denial(denial) for denial in left]
        click.echo(json.dumps(values))
    else:
        _print(advice, top or PEOPLE_READ, theirs, left, spots)


def _hero(options: dict[str, Any]) -> Hero:
    from companion.dungeon_drop.hero import GemValues, Hero
    from companion.dungeon_drop.holdings import Reserve
    from companion.dungeon_drop.pieces import Kind
    from companion.dungeon_drop.quests import read_bonus
    from companion.errors import BadData

    if options["damage"] >= options["hp"]:
        raise click.BadParameter(
            "a hero always keeps a hit point: less damage than --hp", param_hint="--damage"
        )
    bonus: Bonus = ()
    if options["bonus"]:
        try:
            bonus = read_bonus(json.loads(read_small(options["bonus"], "a bonus")))
        except (ValueError, RecursionError) as error:
            raise click.ClickException(f"{options['bonus']}: this is not JSON") from error
        except BadData as error:
            raise click.ClickException(f"{options['bonus']}: {error}") from error
    reserve = Reserve.of({Kind(kind): count for kind, count in options["reserve"].items()})
    return Hero(options["hp"], options["damage"], reserve, GemValues(**options["gems"]), bonus)


def _find(table: Path, near_mm: float) -> Rooms:
    from companion.dungeon_drop.rooms import find_rooms
    from companion.dungeon_drop.table_file import parse_table
    from companion.errors import BadData

    try:
        return find_rooms(parse_table(read_small(table, "a table")), near_mm)
    except BadData as error:
        raise click.ClickException(f"{table}: {error}") from error


def _moved(advice: Advice, moves: tuple[tuple[int, tuple[float, float]], ...]) -> Advice:
    from companion.dungeon_drop.what_if import pick_up

    for id, to_mm in moves:
        try:
            cube = pick_up(advice, id)
        except KeyError as error:
            raise click.BadParameter(f"there is no cube {id}", param_hint="--move") from error
        advice = cube.put_down(advice.rooms.table.shifted_footprint(id, to_mm))
    return advice


def _denials(
    advice: Advice, options: dict[str, Any], top: int | None
) -> tuple[Advice | None, tuple[Denial, ...]]:
    """Return the rooms as the next player would rank them, and what each of the hero's leaves them."""
    from companion.dungeon_drop.deny import denials, wanted_by
    from companion.dungeon_drop.hero import Rival
    from companion.dungeon_drop.holdings import Reserve
    from companion.dungeon_drop.pieces import Kind

    if not options["next_hp"]:
        if options["next_damage"] or options["next_reserve"]:
            raise click.UsageError("--next-damage and --next-reserve need --next")
        return None, ()
    if options["next_damage"] >= options["next_hp"]:
        raise click.BadParameter("a hero always keeps a hit point", param_hint="--next-damage")
    reserve = Reserve.of({Kind(kind): count for kind, count in options["next_reserve"].items()})
    rival = Rival(options["next_hp"], options["next_damage"], reserve)
    theirs = wanted_by(advice.rooms, rival, options["doubt"])
    return theirs, denials(advice, theirs, top or PEOPLE_READ)


def _pawns(advice: Advice) -> tuple[HeatMap, tuple[Spot, ...]]:
    from companion.dungeon_drop.pawns import best_spots, heat_map

    heat = heat_map(advice)
    return heat, best_spots(heat)


def _draw(picture: Path, advice: Advice, top: int, heat: HeatMap | None, spots: tuple[Spot, ...]) -> None:
    from web.dungeon_drop.table_picture import draw_table

    drawing = draw_table(advice, top, heat, spots)
    if picture.suffix.lower() == ".svg":
        from web.dungeon_drop.svg import write_svg

        picture.write_text(write_svg(drawing), encoding="utf-8")
    else:
        from web.dungeon_drop.png import write_png

        picture.write_bytes(write_png(drawing))


def _spot(spot: Spot) -> dict[str, Any]:
    return {
        "at_mm": [round(value, 1) for value in spot.at_mm],
        "chance": round(spot.chance, 4),
        "rooms": spot.rooms,
    }


def _denial(denial: Denial) -> dict[str, Any]:
    return {
        "pillars": list(denial.mine.pillars),
        "gain": denial.mine.gain,
        "next_now": denial.theirs_now,
        "next_after": denial.theirs_after,
    }


def _print(
    advice: Advice, top: int, theirs: Advice | None, left: tuple[Denial, ...], spots: tuple[Spot, ...]
) -> None:
    from web.dungeon_drop.listing import list_pawns, list_rooms, list_wanted

    for line in list_rooms(advice, top, left):
        click.echo(line)
    for line in list_wanted(theirs, WANTED) if theirs else ():
        click.echo(line)
    for line in list_pawns(spots):
        click.echo(line)
