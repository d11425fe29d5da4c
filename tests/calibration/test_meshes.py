"""Shapes of simulated pieces: which part of a texture is on which side of a cube that lies on the table."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("mitsuba", reason="shapes are made only where tables are simulated")

from scipy.spatial.transform import Rotation

from calibration.simulation.meshes import moved, rounded_cube, upright

QUARTERS = [(x, y, z) for x in range(4) for y in range(4) for z in range(2)]


@pytest.mark.parametrize("quarters", QUARTERS)
def test_top_and_bottom_have_the_first_column_whichever_faces_they_are(
    quarters: tuple[int, int, int],
) -> None:
    lean = (2.0, -3.0, 17.0)
    turn = Rotation.from_euler("xyz", lean, degrees=True) * Rotation.from_euler(
        "xyz", np.array(quarters) * 90, degrees=True
    )
    cube = upright(rounded_cube(10.0, 0.5), turn.as_matrix())
    standing = moved(cube, turn.as_matrix(), np.zeros(3))
    column = np.floor(standing.places[:, 0] * 3)
    # Four points of each face are not on its rounded rim.
    middles = (np.abs(cube.points) > 4.99).sum(axis=1) == 1
    up = np.abs(standing.normals[middles, 2]) > 0.9
    assert up.sum() == 2 * 4
    assert (column[middles][up] == 0).all()
    assert set(column[middles][~up]) == {1.0, 2.0}


def test_every_face_keeps_a_sixth_of_the_texture_to_itself() -> None:
    cube = upright(rounded_cube(8.0, 0.5), np.eye(3))
    lowest, highest = (getattr(cube.places.reshape(6, 36, 2), name)(axis=1) for name in ("min", "max"))
    assert np.allclose(highest - lowest, (1 / 3, 1 / 2))
    assert len({tuple(corner) for corner in lowest.round(6)}) == 6
