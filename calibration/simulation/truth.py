"""The truth about a rendered table, in pixels and millimetres, as the accuracy report reads it."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np

from calibration.simulation.tables import Rendered, corners_of
from calibration.simulation.views import View
from vision.pictures import Floats

# A cube that lies flat is at most this much higher than half its side.
FLAT_MM: Final = 0.25
LEAST_VISIBLE: Final = 0.25


def truth_of(rendered: Rendered) -> dict[str, Any]:
    """Return what is on the picture: a JSON object."""
    dropped, view = rendered.dropped, rendered.view
    corners = corners_of(dropped)
    outlines = [_hull(view.to_pixels(eight)) for eight in corners]
    visible = visible_shares(outlines, np.linalg.norm(dropped.centres_mm - view.at_mm, axis=1), view)
    centres = view.to_pixels(dropped.centres_mm)
    return {
        "surface": rendered.surface,
        "image_size": list(view.size_px),
        "camera": {
            "at": view.at_mm.tolist(),
            "look": view.look_mm.tolist(),
            "up": view.up.tolist(),
            "focal_px": view.focal_px,
            "tilt": _tilt(view),
        },
        "markers": [{"id": id, "centre": [x, y], "yaw": turn} for id, x, y, turn in rendered.cards],
        "cubes": [
            {
                "type": piece.kind.value,
                "size": piece.size.value,
                "centre_mm": dropped.centres_mm[n, :2].round(3).tolist(),
                "footprint_mm": footprint(corners[n]).round(3).tolist(),
                "centre_px": centres[n].round(2).tolist(),
                "outline_px": outlines[n].round(2).tolist(),
                "flat": bool(dropped.centres_mm[n, 2] < piece.side_mm / 2 + FLAT_MM),
                "visible": round(float(visible[n]), 3),
                "in_view": bool(visible[n] > LEAST_VISIBLE),
            }
            for n, piece in enumerate(dropped.pieces)
        ],
    }


def visible_shares(outlines: list[Floats], far: Floats, view: View) -> Floats:
    """Return how much of each outline is in the picture and not hidden by a nearer cube."""
    width, height = view.size_px
    # A border around the picture, so that what lies outside counts as not seen.
    edge = 64
    owner = np.full((height + 2 * edge, width + 2 * edge), -1, np.int32)
    whole = np.zeros(len(outlines))
    for n in np.argsort(-far):
        spot = (outlines[n] + edge).round().astype(np.int32)
        whole[n] = max(1.0, float(cv2.contourArea(outlines[n].astype(np.float32))))
        cv2.fillConvexPoly(owner, spot, int(n))
    inside = owner[edge:-edge, edge:-edge]
    counted = np.bincount(inside[inside >= 0].ravel(), minlength=len(outlines))
    shares: Floats = np.minimum(1.0, counted / whole)
    return shares


def footprint(corners_mm: Floats) -> Floats:
    """Return the outline of a cube seen from straight above, counted as what it stands on."""
    low = corners_mm[np.argsort(corners_mm[:, 2])[:4]]
    standing = low if np.ptp(low[:, 2]) < 1.0 else corners_mm
    return _hull(standing[:, :2])


def _hull(points: Floats) -> Floats:
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], np.float64)


def _tilt(view: View) -> float:
    forward = view.look_mm - view.at_mm
    return float(np.degrees(np.arccos(-forward[2] / np.linalg.norm(forward))))
