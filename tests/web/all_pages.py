"""Every address of the app, taken from the app itself, so that a new page is tested without being listed."""

from web.app import create_app

STREAMS = {"live.stream"}  # never ends by itself
NOT_OURS = {"static"}  # plain files
PHOTOS = {"photos.show"}  # exists only once a photo was sent
DOWNLOADS = {"camera.cards"}  # a file to print, never shown as a page
IN_THE_BIN = {"manage.deleted"}  # exists only once a game is deleted

_RULES = [
    rule for rule in create_app(None, signing_key=b"").url_map.iter_rules() if rule.endpoint not in NOT_OURS
]


def _address(rule, code):
    numbers = {"seat": 0, "number": 1, "left": 0, "top": 0, "right": 9, "bottom": 9}
    values = {"code": code, "game": "apprentis", "tile": "torch", **numbers}
    address = str(rule)
    for name in rule.arguments:
        converter = "int:" if name in numbers else ""
        address = address.replace(f"<{converter}{name}>", str(values[name]))
    assert "<" not in address, f"tell all_pages.py what to put into {rule}"
    return address


def routes(method, *, at_a_table=False):
    """Return the address patterns that take *method*, with ``CODE`` for the table's code."""
    return sorted(
        _address(rule, "CODE")
        for rule in _RULES
        if method in rule.methods and ("code" in rule.arguments or not at_a_table)
    )


def readable_pages(code):
    """Return the addresses of everything that can be read about one table, and of the general pages."""
    left_out = STREAMS | PHOTOS | DOWNLOADS | IN_THE_BIN
    return sorted(
        _address(rule, code) for rule in _RULES if "GET" in rule.methods and rule.endpoint not in left_out
    )
