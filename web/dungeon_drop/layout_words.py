"""Why a photo of pieces laid out in rows could not be used, in words."""

from __future__ import annotations

from calibration.sample_layout import COUNTS, NotTheLayout, Why
from companion.message import Message, say, say_many


def why_not_the_layout(error: NotTheLayout, order: Message) -> Message:
    """Return what to do better.

    Args:
        order: where the right order is to be seen.
    """
    least, most = COUNTS
    words = {
        Why.COUNT: say_many(
            "%(count)d cube was found, but the layout has %(least)d, or %(most)d with the last row: "
            "lay out all of them, apart from each other, and nothing else.",
            "%(count)d cubes were found, but the layout has %(least)d, or %(most)d with the last row: "
            "lay out all of them, apart from each other, and nothing else.",
            error.found,
            least=least,
            most=most,
        ),
        Why.ROWS: say(
            "The rows cannot be told apart: leave more space between them, and keep them straight."
        ),
        Why.ORDER: order,
    }
    return words[error.why]
