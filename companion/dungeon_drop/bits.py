"""Rows of yes/no answers packed into machine words, so that a set of cubes is one or two numbers."""

from __future__ import annotations

import numpy as np

from companion.dungeon_drop.arrays import Flags, Words


def pack(flags: Flags) -> Words:
    """Pack shape (M, N) into (M, ceil(N / 64)); the order of bits is only meant for `unpack`."""
    rows, columns = flags.shape
    size = -(-columns // 64) * 8
    octets = np.zeros((rows, size), np.uint8)
    octets[:, : -(-columns // 8)] = np.packbits(flags, axis=1)
    return octets.view(np.uint64)


def unpack(words: Words, columns: int) -> Flags:
    """Undo `pack`: shape (M, W) to (M, columns)."""
    return np.unpackbits(words.view(np.uint8), axis=1, count=columns).view(np.bool_)
