"""Tiles that players corrected once, as the next game finds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.codec import decode
from companion.errors import BadData
from companion.welcome.tiles import Tile, check_tile, printed_tiles


def tiles_written(events: Iterable[Mapping[str, Any]]) -> tuple[Tile, ...]:
    """Return the tiles among recorded events that differ from what is printed here; of each only the newest.

    Args:
        events: newest first.
    """
    found: dict[str, Tile] = {}
    for event in events:
        try:
            tile: Tile = decode(Tile, event.get("tile"))
            check_tile(tile)
        except BadData:
            continue  # written by another version of the companion
        found.setdefault(tile.id, tile)
    return tuple(tile for tile in found.values() if tile != printed_tiles()[tile.id])
