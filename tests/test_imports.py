"""Imports run one way: web knows everything, vision no rules, companion neither camera nor browser."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = {"companion", "vision", "calibration", "web", "tests"}

# Which of our own packages each one may import.
OWN = {
    "companion": {"companion"},
    "vision": {"vision"},
    "calibration": {"calibration", "vision"},
    "web": {"web", "companion", "vision", "calibration"},
}
# The only third-party packages the rules may use; the others are free to choose.
COMPANION_LIBRARIES = {"numpy", "scipy"}


def imported_roots(source):
    """Return the top-level names a module imports, wherever in the file it does."""
    roots = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            roots |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            roots.add(node.module.split(".")[0])
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in ("import_module", "__import__"):
                roots.add(str(node.args[0].value).split(".")[0])
    return roots


def forbidden_imports(package, source):
    """Return what *source*, a module of *package*, imports although it must not."""
    roots = imported_roots(source)
    found = (roots & PROJECT) - OWN[package]
    if package == "companion":
        found |= roots - sys.stdlib_module_names - COMPANION_LIBRARIES - OWN[package]
    return found


@pytest.mark.parametrize("package", OWN)
def test_a_package_imports_only_what_it_may_know(package):
    modules = sorted((ROOT / package).glob("**/*.py"))

    found = {
        str(path.relative_to(ROOT)): forbidden_imports(package, path.read_text("utf-8")) for path in modules
    }

    assert {path: names for path, names in found.items() if names} == {}


def test_the_check_looks_at_the_modules_of_the_rules():
    names = {path.name for path in (ROOT / "companion").glob("**/*.py")}

    assert {"journal.py", "store.py", "scoring.py"} <= names


@pytest.mark.parametrize(
    ("package", "source", "caught"),
    [
        pytest.param("companion", "import flask", {"flask"}, id="a browser library in the rules"),
        pytest.param("companion", "import json, cv2.aruco", {"cv2"}, id="second name of a plain import"),
        pytest.param("companion", "from web.play import page", {"web"}, id="the web from the rules"),
        pytest.param("companion", "import vision", {"vision"}, id="the camera from the rules"),
        pytest.param("companion", "def f():\n    from vision import find", {"vision"}, id="in a function"),
        pytest.param(
            "companion",
            "try:\n    import cv2 as c\nexcept ImportError:\n    c = None",
            {"cv2"},
            id="in a try",
        ),
        pytest.param(
            "companion", "import importlib\nimportlib.import_module('web.x')", {"web"}, id="by name"
        ),
        pytest.param("companion", "__import__('flask')", {"flask"}, id="by the built-in"),
        pytest.param("vision", "from companion.rules import rank", {"companion"}, id="rules from vision"),
        pytest.param("vision", "import calibration.lens", {"calibration"}, id="calibration from vision"),
        pytest.param("vision", "import web", {"web"}, id="the web from vision"),
        pytest.param("calibration", "import companion", {"companion"}, id="rules from calibration"),
        pytest.param("calibration", "from web import app", {"web"}, id="the web from calibration"),
        pytest.param("web", "from tests.companion import builders", {"tests"}, id="tests from the web"),
    ],
)
def test_a_forbidden_import_is_caught(package, source, caught):
    assert forbidden_imports(package, source) == caught


@pytest.mark.parametrize(
    ("package", "source"),
    [
        pytest.param(
            "companion", "import sqlite3\nimport numpy as np\nfrom scipy import spatial", id="rules"
        ),
        pytest.param("companion", "from companion.errors import BadData\nfrom . import board", id="own"),
        pytest.param("vision", "import cv2\nimport numpy", id="vision"),
        pytest.param("calibration", "import cv2\nfrom vision.find import find_blobs", id="calibration"),
        pytest.param("web", "import flask, companion, vision, calibration", id="web"),
    ],
)
def test_an_allowed_import_is_let_through(package, source):
    assert forbidden_imports(package, source) == set()
