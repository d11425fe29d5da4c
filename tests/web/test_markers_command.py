"""``dungeon markers``."""

from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from web.command_line import dungeon


def run(*arguments):
    return CliRunner().invoke(dungeon, ["markers", *map(str, arguments)])


@pytest.mark.parametrize(("options", "width"), [((), "210mm"), (("--paper", "letter"), "215.9mm")])
def test_the_cards_are_written_as_a_page(tmp_path, options, width):
    result = run(tmp_path / "cards.svg", *options)

    assert result.exit_code == 0
    assert ElementTree.parse(tmp_path / "cards.svg").getroot().get("width") == width
    assert "100 %" in result.stderr


def test_the_page_can_go_to_standard_output():
    result = run("-")

    assert ElementTree.fromstring(result.stdout).get("height") == "297mm"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        pytest.param(("cards.gif",), "cards.gif: the page is an .svg file", id="another kind of file"),
        pytest.param(("cards.svg", "--paper", "a3"), "'a3' is not one of", id="another paper"),
        pytest.param(
            ("/nowhere/cards.svg",), "/nowhere/cards.svg: No such file or directory", id="no folder"
        ),
        pytest.param((), "Missing argument 'OUT'", id="no file"),
    ],
)
def test_what_cannot_be_written_is_told_in_one_line(tmp_path, monkeypatch, arguments, why):
    monkeypatch.chdir(tmp_path)

    result = run(*arguments)

    assert result.exit_code == 2
    assert why in result.stderr
    assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
