"""Outlines of standing cubes, against an independent geometry."""

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import MultiPoint, Point

from tests.vision.cube_views import SIZE_PX, a_plane
from vision.boxes import corners_px
from vision.silhouettes import ENDS, STARTS, on_outline, outward

# Nearer than this to being seen or unseen a side may be either: it is a line. Lenses bend such sides a
# little: of 200,000 cubes two were so at 0.05 pixels and none at more.
A_LINE_PX = 0.1


def standing(seed, count=40):
    """Return the corners of cubes that stand anywhere in the picture of any camera."""
    rng = np.random.default_rng(seed)
    plane = a_plane(rng.uniform(0, 60), rng.uniform(300, 1200), rng.uniform(0, 360), lens=rng.normal(0, 0.02))
    pose = np.column_stack((rng.uniform(-150, 150, (count, 2)), rng.uniform(0, 2 * np.pi, count)))
    corners = corners_px(plane, pose, rng.uniform(7, 13, count))
    # Far beyond the picture a lens bends even a cube's edges.
    shown = ((corners >= 0) & (corners <= SIZE_PX)).all(axis=(1, 2))
    return corners[shown]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 100_000))
def test_outlines_are_the_hulls_that_shapely_finds(seed):
    cubes = standing(seed)
    for corners, edges in zip(cubes, on_outline(cubes), strict=True):
        hull = MultiPoint(corners).convex_hull
        assert edges.sum() in (4, 6)
        # One way round: every corner of the outline begins or ends two edges.
        ends = np.bincount(np.concatenate((STARTS[edges], ENDS[edges])), minlength=8)
        assert set(ends) <= {0, 2}
        away = np.array([hull.exterior.distance(Point(corner)) for corner in corners])
        assert away[ends == 2].max() < A_LINE_PX
        missing = hull.exterior.difference(MultiPoint(corners[ends == 2]).convex_hull.buffer(A_LINE_PX))
        assert missing.is_empty


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 100_000))
def test_all_of_a_cube_is_on_the_inner_side_of_its_outline(seed):
    corners = standing(seed)
    assume(len(corners))
    beyond = ((corners[:, None] - corners[:, STARTS, None]) * outward(corners)[:, :, None]).sum(axis=3)
    assert beyond.max(axis=2)[on_outline(corners)].max() < A_LINE_PX


def test_from_straight_above_the_outline_is_the_top():
    plane = a_plane(0.0, 600.0)
    (edges,) = on_outline(corners_px(plane, np.array([(0.0, 0.0, 0.3)]), np.array([10.0])))
    assert edges.tolist() == [False] * 4 + [True] * 4 + [False] * 4
