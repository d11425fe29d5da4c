"""What should not matter to a scan: a picture turned, resized, or lit otherwise."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.accuracy.figures import judge
from calibration.accuracy.run import MeasuredSet, measure
from calibration.accuracy.steadiness import CHANGES, changed, share_changed
from calibration.accuracy.targets import STEADY, TARGETS, verdicts
from calibration.accuracy.values import report_values
from tests.calibration.accuracy_cases import a_perfect_scan, a_true_cube, a_true_picture
from tests.web.scans import a_scan
from vision.pieces import Kind

SIZE = (150, 210)
named = pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.name)


def a_frame():
    """Return a dark picture with three bright cubes at the places of three_cubes."""
    frame = np.full((*SIZE, 3), 40, np.uint8)
    for cube in three_cubes().cubes:
        (left, top), (right, bottom) = cube.outline_px.min(axis=0), cube.outline_px.max(axis=0)
        frame[int(top) : int(bottom) + 1, int(left) : int(right) + 1] = 160
    return frame


def three_cubes():
    return a_true_picture(*(a_true_cube("gold", x, y) for x, y in ((30, 40), (120, 30), (170, 110))))


def seeing(frame):
    """Scan as somebody who sees every bright square, whatever the picture's size and light."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    found = cv2.connectedComponentsWithStats((grey > 2 * np.median(grey)).astype(np.uint8))[2][1:]
    like = a_perfect_scan(three_cubes()).cubes[0]
    return a_scan(
        *(
            replace(
                like, outline_px=np.array([(x, y), (x + w - 1, y), (x + w - 1, y + h - 1), (x, y + h - 1)])
            )
            for x, y, w, h, _ in found.astype(float)
        )
    )


@named
def test_a_scan_that_sees_the_same_is_steady(change):
    """This only holds if every pixel is followed back to where it was."""
    frame = a_frame()
    seen = seeing(frame)
    assert len(seen.cubes) == 3
    one = changed(seen, change, frame, seeing)
    assert (one.cubes, one.renamed, one.gone) == (3, 0, 0)


@named
def test_corners_go_back_to_where_they_were(change):
    frame = np.zeros((*SIZE, 3), np.uint8)
    # Blurred, so that its middle is told between pixels too.
    frame[100:110, 30:40] = 255
    after = change.done(cv2.GaussianBlur(frame, (0, 0), 2))

    weights = after[:, :, 1].astype(float)
    y, x = np.mgrid[: after.shape[0], : after.shape[1]]
    middle = np.array([[(x * weights).sum(), (y * weights).sum()]]) / weights.sum()
    assert change.back(middle, (SIZE[1], SIZE[0])) == pytest.approx(np.array([[34.5, 104.5]]), abs=0.1)


def test_other_kinds_and_cubes_that_are_gone_are_counted():
    picture = three_cubes()
    seen = a_perfect_scan(picture)
    darker = next(change for change in CHANGES if change.name == "darker by 30%")

    def other(frame):
        return a_scan(replace(seen.cubes[0], kind=Kind.PILLAR), seen.cubes[1])

    one = changed(seen, darker, a_frame(), other)
    assert (one.cubes, one.renamed, one.gone) == (3, 1, 1)
    assert share_changed(
        [one, changed(seen, darker, a_frame(), lambda frame: seen)], darker
    ) == pytest.approx(1 / 3)


def test_without_cubes_nothing_is_told():
    nothing = changed(a_scan(), CHANGES[0], a_frame(), lambda frame: a_scan())
    assert share_changed([nothing], CHANGES[0]) is None


def test_darker_is_darker_and_a_cast_is_of_one_colour():
    frame = np.full((2, 2, 3), 100, np.uint8)
    done = {change.name: change.done(frame)[0, 0].tolist() for change in CHANGES}
    assert done["darker by 30%"] == [70, 70, 70]
    assert done["brighter by 30%"] == [130, 130, 130]
    assert done["tinted red by 15%"] == pytest.approx([100, 100, 115], abs=1)
    assert done["tinted blue by 15%"] == pytest.approx([115, 100, 100], abs=1)


def test_what_is_nearly_white_does_not_become_dark():
    white = np.full((2, 2, 3), 250, np.uint8)
    assert all(change.done(white).max() >= 250 for change in CHANGES if "darker" not in change.name)


def test_the_report_has_them_only_where_they_were_measured(tmp_path):
    cv2.imwrite(str(tmp_path / "table.png"), a_frame())
    picture = replace(three_cubes(), photo=tmp_path / "table.png")
    plain = measure([picture], seeing)
    steady = measure([picture], seeing, changes=CHANGES)

    assert [verdict.target for verdict in verdicts(plain)] == list(TARGETS)
    told = verdicts(steady)[len(TARGETS) :]
    assert [verdict.target for verdict in told] == list(STEADY)
    assert all(verdict.value == 0.0 and verdict.accepted for verdict in told)
    values = report_values([MeasuredSet("one", steady)])["sets"][0]
    assert values["pictures"][0]["changed"]["turned by 90°"] == {"renamed": 0, "gone": 0}
    assert values["targets"][-1]["name"] == "changed when tinted blue by 15%"


def test_a_judged_picture_was_not_changed():
    picture = three_cubes()
    assert judge(picture, a_perfect_scan(picture)).changed == ()
