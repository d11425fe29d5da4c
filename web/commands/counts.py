"""Values of options: counts such as ``gold=2,shield=1``, moves, and numbers that really are numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite

import click

FARTHEST_MM = 1_000_000


def counts_of(
    names: tuple[str, ...], *, most: int, aliases: Mapping[str, str] | None = None
) -> Callable[[str], dict[str, int]]:
    """Return a reader of ``name=count,...``, where each of *names* is given at most once."""

    def counts(text: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for part in filter(None, (part.strip() for part in text.split(","))):
            name, _, count = (piece.strip() for piece in part.partition("="))
            name = (aliases or {}).get(name, name)
            if name not in names:
                raise click.BadParameter(f"'{name}' is not one of {', '.join(names)}")
            if name in found:
                raise click.BadParameter(f"'{name}' is given twice")
            if not (count.isascii() and count.isdigit() and len(count) < 6 and int(count) <= most):
                raise click.BadParameter(f"'{part}' must be name=number, the number from 0 to {most}")
            found[name] = int(count)
        return found

    return counts


def length_mm(text: str) -> float:
    """Read a length from 0 to 10 mm, about a cube."""
    try:
        length = float(text)
    except ValueError:
        length = -1.0
    # Not a number is in no range.
    if not 0 <= length <= 10:
        raise click.BadParameter(f"'{text}' must be a number from 0 to 10")
    return length


def move_of(text: str) -> tuple[int, tuple[float, float]]:
    """Read ``ID=X,Y``: a cube and where it would be, in mm."""
    id, _, place = text.partition("=")
    x, _, y = place.partition(",")
    try:
        cube, to_mm = int(id), (float(x), float(y))
    except ValueError:
        raise click.BadParameter(f"'{text}' must be ID=X,Y") from None
    if not all(isfinite(number) and abs(number) <= FARTHEST_MM for number in to_mm):
        raise click.BadParameter(f"'{text}' is not on the table")
    return cube, to_mm
