"""The plain pip way: a wheel built from these files, installed elsewhere, starts and serves its pages."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from tests.running import HttpPhone, Server

ROOT = Path(__file__).parents[2]
PARTS = ("companion", "vision", "web", "calibration", "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    source = tmp_path_factory.mktemp("source")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / part, source / part)
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(source)],
        check=True,
        capture_output=True,
    )
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_holds_templates_texts_and_pictures(wheel):
    names = zipfile.ZipFile(wheel).namelist()

    for needed in (
        "templates/home.html",
        "templates/apprentis/table.html",
        "static/app.css",
        "static/icons.svg",
    ):
        assert f"web/{needed}" in names
    assert "web/translations/fr/LC_MESSAGES/messages.mo" in names
    assert not [name for name in names if name.startswith("tests/")]


def test_an_installed_wheel_serves_its_pages(wheel, tmp_path):
    env = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", str(env)], check=True)
    scripts = env / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / "python"
    # No network here: the libraries come from the environment that runs the tests, the project does not.
    purelib = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    Path(purelib, "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    subprocess.run(
        [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True
    )
    server = Server(tmp_path / "data", "--demo", command=[str(scripts / "dungeon")], cwd=tmp_path)

    server.start()

    phone = HttpPhone(server)
    home, _url = phone.open("/")
    assert "Alix, Basile, Chloé" in home
    assert "--accent" in phone.open("/static/app.css")[0]
    phone.open("/language", {"language": "fr"})
    assert "Nouvelle partie" in phone.open("/")[0]
    code = phone.create("Ana", "Ben")
    assert "Carte Menace" in phone.open(f"/t/{code}/?seat=0")[0]
    where = subprocess.run(
        [str(python), "-c", "import web; print(web.__file__)"],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    ).stdout
    assert str(env) in where
    assert server.stop() == 0
