"""What is behind another cube, against an independent geometry."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import MultiPoint, Point

from tests.vision.cube_views import a_plane
from vision.boxes import corners_px
from vision.hiding import hidden


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 9))
def test_points_are_hidden_as_shapely_says(seed, count):
    rng = np.random.default_rng(seed)
    plane = a_plane(rng.uniform(0, 60), rng.uniform(400, 900), rng.uniform(0, 360))
    # So near each other that many would stand inside each other: more is hidden than on any table.
    pose = np.column_stack((rng.uniform(-15, 15, (count, 2)), rng.uniform(0, np.pi / 2, count)))
    corners = corners_px(plane, pose, rng.uniform(7, 13, count))
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
    corners = corners_px(a_plane(), np.array([(0.0, 0.0, 0.0), (3.0, 2.0, 0.4)]), np.full(2, 10.0))
    points, cube = corners.reshape(-1, 2), np.repeat([0, 1], 8)
    assert not hidden(points, cube, corners, np.ones(2)).any()
