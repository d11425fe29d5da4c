"""A scan in words, the same on a phone and in a terminal: what a person can do better, where a cube is."""

from __future__ import annotations

from companion.dungeon_drop.pieces import Kind
from companion.message import Message, say, say_many
from vision.follow import Activity
from vision.photo import Why
from vision.pieces import Size
from vision.seen import Advice, Scan, SeenCube, Source, Warning
from web.dungeon_drop.marks import MARKS, Mark

# A cube less certain than this is named, so that a person looks at it.
SURE = 0.8

SIZE_NAMES = {Size.SMALL: say("small"), Size.LARGE: say("large"), Size.HUGE: say("huge")}

# What to do, where nothing can be counted or named.
WHAT_TO_DO = {
    Advice.TOO_DARK: say("The photo is too dark: switch on a lamp or go nearer to the window."),
    Advice.TOO_BRIGHT: say(
        "The photo is too bright: turn the lamp away, or tap on the brightest cubes first."
    ),
    Advice.BLURRED: say("The photo is blurred: hold the phone still, or tap on the cubes to focus."),
    Advice.COME_CLOSER: say("The cubes are too small in the photo: come closer."),
    Advice.TOO_CLOSE: say(
        "The camera is too close: go back until all cubes and a marker card are in the photo."
    ),
    Advice.MARKER_BENT: say("A marker card does not lie flat: smooth it out, or lay it elsewhere."),
    Advice.MARKER_HIDDEN: say("A marker card is hidden: move what lies on it."),
    Advice.NO_MARKERS: say("No marker card is in the photo: lay at least one flat beside the cubes."),
    Advice.NO_CUBES: say("No cube was found: take the photo from above, with all cubes in it."),
    Advice.TOO_MANY: say(
        "There seem to be more cubes than the box holds: take away what is not part of the game."
    ),
    Advice.CUT_OFF: say("A cube is cut off at the edge of the photo: go back a little or turn the camera."),
    Advice.EMPTY_DIFFERS: say(
        "The photo of the empty table does not fit: take both from the same place and in the same light."
    ),
}

WHY_REFUSED = {
    Why.TOO_LARGE: say("The file is larger than 64 MB."),
    Why.TOO_MANY_PIXELS: say("The picture has more than 64 million pixels."),
    Why.TOO_MANY_GROWING: say(
        "The picture is a progressive JPEG of more than 24 million pixels: send it as the camera wrote it."
    ),
    Why.NOT_A_PICTURE: say("This is not a JPEG or PNG picture."),
    Why.CUT_OFF: say("The picture is cut off: the end of the file is missing."),
    Why.BROKEN: say("The picture is damaged and cannot be read."),
}

# What goes on before the camera of a table that is followed.
ACTIVITY_WORDS = {
    str(Activity.STARTING): say("The camera looks at the table…"),
    str(Activity.WATCHING): say("The camera follows the table."),
    str(Activity.CHANGING): say("Something moves: waiting until it rests."),
    str(Activity.HAND): say("A hand is in the picture: waiting until it is gone."),
    "lost": say("The camera gives no picture."),
}

# By thirds of the picture: rows from the top, columns from the left.
PLACES = (
    (say("at the top left"), say("at the top"), say("at the top right")),
    (say("on the left"), say("in the middle"), say("on the right")),
    (say("at the bottom left"), say("at the bottom"), say("at the bottom right")),
)


def mark_of(cube: SeenCube) -> Mark:
    """Return the mark of what a camera saw: the scanner knows no rules and has kinds of its own."""
    return MARKS[Kind(cube.kind)]


def what_to_do(warning: Warning) -> Message:
    """Return one sentence that says what a person can do about the photo."""
    match warning:
        case Warning(Advice.MARKER_BENT, marker=int(card)):
            return say(
                "Marker card %(card)d does not lie flat: smooth it out, or lay it elsewhere.", card=card
            )
        case Warning(Advice.MARKER_HIDDEN, marker=int(card)):
            return say("Marker card %(card)d is hidden: move what lies on it.", card=card)
        case Warning(Advice.TOO_MANY, count=int(count)):
            return say_many(
                "%(count)d cube more was seen than the box holds: take away what is not part of the game.",
                "%(count)d cubes more were seen than the box holds: take away what is not part of the game.",
                count,
            )
        case Warning(Advice.CUT_OFF, count=int(count)):
            return say_many(
                "%(count)d cube is cut off at the edge of the photo: go back a little or turn the camera.",
                "%(count)d cubes are cut off at the edge of the photo: go back a little or turn the camera.",
                count,
            )
    return WHAT_TO_DO[warning.advice]


def cubes_counted(scan: Scan) -> Message:
    """Return how many cubes there are."""
    return say_many("%(count)d cube", "%(count)d cubes", len(scan.cubes))


def scale_in_words(scan: Scan) -> Message:
    """Return the scale and what told it."""
    scale = f"{scan.px_per_mm:.2f}"
    if scan.source is Source.NONE:
        return say("The scale is not known: rooms are right, but millimetres are not.")
    if scan.source is Source.CUBES:
        return say("%(scale)s pixels per mm, from the sizes of the cubes themselves.", scale=scale)
    cards = ", ".join(map(str, scan.plane.markers))
    return say("%(scale)s pixels per mm, from marker cards: %(cards)s.", scale=scale, cards=cards)


def place_in_words(cube: SeenCube, size_px: tuple[int, int]) -> Message:
    """Return in which third of the picture a cube is, across and down."""
    column, row = (
        min(max(int(3 * at / size), 0), 2) for at, size in zip(cube.centre_px, size_px, strict=True)
    )
    return PLACES[row][column]


def doubt_in_words(cube: SeenCube, size_px: tuple[int, int]) -> Message:
    """Return which cube a person should look at, and where it is."""
    x, y = (round(float(at)) for at in cube.centre_px)
    return say(
        "Cube %(id)d, %(place)s (%(x)d, %(y)d): %(kind)s, %(size)s? %(sure)d %% sure.",
        id=cube.id,
        place=place_in_words(cube, size_px),
        x=x,
        y=y,
        kind=mark_of(cube).name,
        size=SIZE_NAMES[cube.size],
        sure=int(100 * cube.confidence),
    )


def size_differs(empty_px: tuple[int, int], photo_px: tuple[int, int]) -> Message:
    """Return why a picture of the empty table cannot be used with a photo."""
    return say(
        "The photo of the empty table has another size (%(empty)s) than this photo (%(photo)s): "
        "take both with the same camera, held the same way.",
        empty="{} x {}".format(*empty_px),
        photo="{} x {}".format(*photo_px),
    )
