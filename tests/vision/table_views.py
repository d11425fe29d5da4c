"""Pictures of marker cards on a table, made by a camera that is known exactly."""

from dataclasses import dataclass
from math import cos, radians, sin

import cv2
import numpy as np

from vision.lens import bend
from vision.markers import CARD_MM, DICTIONARY, MARKER_MM, Marker

SIZE_PX = (1600, 1000)
HALF = MARKER_MM / 2
# The corners of a marker, clockwise from its top left, y upwards on the table.
CORNERS = np.array([(-HALF, HALF), (HALF, HALF), (HALF, -HALF), (-HALF, -HALF)])


@dataclass(frozen=True)
class Card:
    """Where a card lies: its middle in mm and how it is turned."""

    id: int
    x: float
    y: float
    turned_deg: float

    def on_table(self, points):
        """Return points of the card, shape (N, 2), in mm on the table."""
        angle = radians(self.turned_deg)
        turn = np.array([(cos(angle), -sin(angle)), (sin(angle), cos(angle))])
        return np.asarray(points) @ turn.T + (self.x, self.y)


def a_camera(tilt_deg=30.0, away_mm=700.0, turned_deg=20.0, focal_px=1300.0):
    """Return the homography from mm on the table to pixels of a camera that looks at its middle."""
    return a_projection(tilt_deg, away_mm, turned_deg, focal_px)[:, [0, 1, 3]]


def a_projection(tilt_deg=30.0, away_mm=700.0, turned_deg=20.0, focal_px=1300.0):
    """Return the matrix, shape (3, 4), that takes points above the table to pixels of the same camera."""
    tilt, turned = radians(tilt_deg), radians(turned_deg)
    width, height = SIZE_PX
    lens = np.array([(focal_px, 0, (width - 1) / 2), (0, focal_px, (height - 1) / 2), (0, 0, 1)])
    around = np.array([(cos(turned), -sin(turned), 0), (sin(turned), cos(turned), 0), (0, 0, 1)])
    # The camera's y goes down and its z into the picture.
    down = np.array([(1, 0, 0), (0, -cos(tilt), -sin(tilt)), (0, sin(tilt), -cos(tilt))])
    pose = down @ around
    return lens @ np.column_stack((pose, (0.0, 0.0, away_mm)))


def through(homography, points):
    mapped = np.column_stack((points, np.ones(len(points)))) @ homography.T
    return mapped[:, :2] / mapped[:, 2:]


def seen(card, camera, lens=0.0):
    """Return the marker as the camera sees its corners, exactly."""
    return Marker(card.id, bend(through(camera, card.on_table(CORNERS)), SIZE_PX, lens))


def photograph(cards, camera, table=90, paper=235, ink=25):
    """Take a grey picture of cards on a table."""
    width, height = SIZE_PX
    fine = 3
    picture = np.full((height * fine, width * fine), table, np.uint8)
    # Pixels are counted from the middle of the first one.
    larger = np.array([(fine, 0, (fine - 1) / 2), (0, fine, (fine - 1) / 2), (0, 0, 1)])
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    px = 10
    side = round(CARD_MM * px)
    border = round((CARD_MM - MARKER_MM) / 2 * px)
    for card in cards:
        face = np.full((side, side), paper, np.uint8)
        marker = cv2.aruco.generateImageMarker(dictionary, card.id, side - 2 * border)
        face[border:-border, border:-border] = np.where(marker > 0, paper, ink)
        half = CARD_MM / 2
        edge = card.on_table([(-half, half), (half, half), (half, -half), (-half, -half)])
        from_face = np.array([(0, 0), (side, 0), (side, side), (0, side)]) - 0.5
        to = through(larger @ camera, edge)
        warp = cv2.getPerspectiveTransform(from_face.astype(np.float32), to.astype(np.float32))
        size = (width * fine, height * fine)
        covered = cv2.warpPerspective(np.full_like(face, 255), warp, size, flags=cv2.INTER_AREA)
        drawn = cv2.warpPerspective(face, warp, size, flags=cv2.INTER_LINEAR)
        picture = np.where(covered > 127, drawn, picture)
    # A lens blurs light, of which a picture's numbers are about the root.
    light = (picture / np.float32(255)) ** 2.2
    blurred = cv2.GaussianBlur(cv2.resize(light, SIZE_PX, interpolation=cv2.INTER_AREA), (0, 0), 0.7)
    return (blurred ** (1 / 2.2) * 255).round().astype(np.uint8)
