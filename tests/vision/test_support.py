"""How far outlines reach, and back."""

import cv2
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.support import DIRECTION_COUNT, DIRECTIONS, polygon, support

POINT = st.tuples(st.floats(-50, 50), st.floats(-50, 50))


def test_a_square_reaches_half_its_side_and_half_its_diagonal():
    square = np.array([(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)])
    reach = support(square)
    assert np.allclose(reach[::4], 5.0)
    assert np.allclose(reach[2::4], 5.0 * np.sqrt(2))


def test_many_outlines_at_once():
    points = np.random.default_rng(1).normal(size=(4, 3, 7, 2))
    assert support(points).shape == (4, 3, DIRECTION_COUNT)
    assert np.allclose(support(points)[2, 1], support(points[2, 1]))


@given(st.lists(POINT, min_size=3, max_size=12))
def test_the_polygon_of_reaches_holds_all_points(points):
    points = np.array(points)
    corners = polygon(support(points))
    assert (support(corners) >= support(points) - 1e-3).all()


def test_the_polygon_of_a_polygon_with_these_directions_is_itself():
    reach = np.full(DIRECTION_COUNT, 3.0)
    corners = polygon(reach)
    assert len(corners) == DIRECTION_COUNT
    assert np.allclose((corners @ DIRECTIONS.T).max(axis=0), reach, atol=1e-5)
    area = cv2.contourArea(corners.astype(np.float32))
    assert np.isclose(area, DIRECTION_COUNT * 9 * np.tan(np.pi / DIRECTION_COUNT), rtol=1e-4)
