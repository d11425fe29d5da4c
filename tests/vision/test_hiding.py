"""What is behind another cube, against an independent geometry."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import MultiPoint, Point

from vision.hiding import hidden


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 9))
def test_points_are_hidden_as_shapely_says(seed, count):
    rng = np.random.default_rng(seed)
    middles = rng.uniform(0, 60, (count, 2))
    corners = middles[:, None] + rng.uniform(-12, 12, (count, 8, 2))
    far = rng.permutation(count).astype(float)
    cube = np.repeat(np.arange(count), 5)
    points = corners[:, :5].reshape(-1, 2)
    hulls = [MultiPoint(eight).convex_hull for eight in corners]
    wanted = [
        any(far[other] < far[own] and hulls[other].contains(Point(point)) for other in range(count))
        for point, own in zip(points, cube, strict=True)
    ]
    # What is all but on an edge may be either.
    clear = [
        min(hull.exterior.distance(Point(point)) for other, hull in enumerate(hulls) if other != own) > 1e-4
        for point, own in zip(points, cube, strict=True)
    ]
    assert (hidden(points, cube, corners, far) == wanted)[clear].all()


def test_of_cubes_equally_far_none_hides_the_other():
    corners = np.random.default_rng(1).uniform(0, 10, (2, 8, 2))
    points, cube = corners.reshape(-1, 2), np.repeat([0, 1], 8)
    assert not hidden(points, cube, corners, np.ones(2)).any()
