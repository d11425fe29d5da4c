"""Files stay small, say what they are for and are named for their subject."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("companion", "vision", "web", "calibration")
MOST_LINES = 400
SHAPELESS = {"utils.py", "helpers.py", "util.py", "helper.py"}


def complaints(name, source):
    """Return what is wrong with a module called *name*."""
    found = []
    if len(source.splitlines()) > MOST_LINES:
        found.append("longer than 400 lines")
    if not (ast.get_docstring(ast.parse(source)) or "").strip():
        found.append("no docstring")
    if name in SHAPELESS:
        found.append("named after nothing")
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_are_short_and_say_what_they_are_for(package):
    modules = sorted((ROOT / package).glob("**/*.py"))

    found = {str(path.relative_to(ROOT)): complaints(path.name, path.read_text("utf-8")) for path in modules}

    assert {path: why for path, why in found.items() if why} == {}


@pytest.mark.parametrize(
    ("name", "source", "found"),
    [
        pytest.param("rooms.py", '"""Rooms."""\n' + "x = 1\n" * 399, [], id="400 lines"),
        pytest.param(
            "rooms.py", '"""Rooms."""\n' + "x = 1\n" * 400, ["longer than 400 lines"], id="401 lines"
        ),
        pytest.param("rooms.py", "x = 1\n", ["no docstring"], id="no docstring"),
        pytest.param("rooms.py", 'x = 1\n"""Late."""\n', ["no docstring"], id="docstring after code"),
        pytest.param("rooms.py", "", ["no docstring"], id="empty"),
        pytest.param("utils.py", '"""Things."""\n', ["named after nothing"], id="utils"),
        pytest.param("helpers.py", '"""Things."""\n', ["named after nothing"], id="helpers"),
    ],
)
def test_the_check_notices(name, source, found):
    assert complaints(name, source) == found
