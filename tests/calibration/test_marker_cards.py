"""The page of marker cards is in true size and the cards on it are found."""

import re
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from calibration.marker_cards import CHECK_MM, SIZES_MM, Paper, card_places, draw_cards
from vision.markers import CARD_MM, MARKER_MM, find_markers

SVG = "{http://www.w3.org/2000/svg}"
PX = 10  # pixels of the test per mm


def page(paper):
    return ElementTree.fromstring(draw_cards(paper))


def printed(paper):
    """Paint the filled rectangles of the page, as a printer would."""
    width, height = SIZES_MM[paper]
    picture = np.full((round(height * PX), round(width * PX)), 255, np.uint8)
    for rect in page(paper).iter(f"{SVG}rect"):
        x, y = (float(rect.get(name, 0)) for name in ("x", "y"))
        wide, high = (float(rect.get(name)) for name in ("width", "height"))
        left, top, right, bottom = (round(value * PX) for value in (x, y, x + wide, y + high))
        picture[top:bottom, left:right] = int(rect.get("fill")[1:3], 16)
    return picture


@pytest.mark.parametrize("paper", Paper)
def test_the_page_has_the_size_of_the_paper(paper):
    width, height = SIZES_MM[paper]

    svg = page(paper)

    assert (svg.get("width"), svg.get("height")) == (f"{width:g}mm", f"{height:g}mm")
    assert svg.get("viewBox") == f"0 0 {width:g} {height:g}"
    assert f"size: {width:g}mm {height:g}mm" in svg.find(f"{SVG}style").text


@pytest.mark.parametrize("paper", Paper)
def test_all_four_cards_are_found_with_sides_of_forty_millimetres(paper):
    # A lens blurs light, of which a picture's numbers are about the root.
    blurred = cv2.GaussianBlur((printed(paper) / np.float32(255)) ** 2.2, (0, 0), 1.0)
    found = find_markers((blurred ** (1 / 2.2) * 255).round().astype(np.uint8))

    assert [marker.id for marker in found] == [0, 1, 2, 3]
    for marker, (left, top) in zip(found, card_places(paper), strict=True):
        assert marker.side_px / PX == pytest.approx(MARKER_MM, abs=0.1)
        middle = (marker.corners_px.mean(axis=0) + 0.5) / PX
        assert middle == pytest.approx((left + CARD_MM / 2, top + CARD_MM / 2), abs=0.1)
        upright = marker.corners_px[1] - marker.corners_px[0]
        assert upright == pytest.approx((MARKER_MM * PX, 0), abs=1)


@pytest.mark.parametrize("paper", Paper)
def test_around_every_marker_the_card_is_white(paper):
    picture = printed(paper)
    border = (CARD_MM - MARKER_MM) / 2

    for left, top in card_places(paper):
        card = picture[
            round(top * PX) : round((top + CARD_MM) * PX), round(left * PX) : round((left + CARD_MM) * PX)
        ]
        black = np.argwhere(card < 128)
        assert black.min() == pytest.approx(border * PX, abs=1)
        assert black.max() == pytest.approx((CARD_MM - border) * PX - 1, abs=1)


@pytest.mark.parametrize("paper", Paper)
def test_cards_and_line_stay_clear_of_what_printers_cannot_reach(paper):
    width, height = SIZES_MM[paper]

    for left, top in card_places(paper):
        assert 10 < left < width - CARD_MM - 10
        assert 10 < top < height - CARD_MM - 10
    assert CHECK_MM < width - 20


@pytest.mark.parametrize("paper", Paper)
def test_the_line_to_measure_is_a_hundred_millimetres(paper):
    path = page(paper).find(f"{SVG}path").get("d")

    assert re.search(r"h (\S+)", path)[1] == "100"
    starts = [float(x) for x in re.findall(r"M (\S+)", path)]
    assert max(starts) - min(starts) == pytest.approx(100)


def test_the_page_speaks_french_and_english():
    words = " ".join(text.text for text in page(Paper.A4).iter(f"{SVG}text"))

    assert "Print at 100 %" in words
    assert "Imprimez à 100 %" in words
