"""A companion on an empty data folder, and phones that visit it."""

import json

import pytest
from jinja2 import FileSystemBytecodeCache

from companion.store import Store
from companion.tables import Tables
from tests.web.phone import FRENCH, Phone
from tests.web.scans import RoomScanner
from web.app import create_app

KEY = b"a key that only this test knows."


@pytest.fixture
def tables(tmp_path):
    store = Store(tmp_path / "data")
    yield Tables(store)
    store.close()


@pytest.fixture(scope="session")
def compiled_templates(tmp_path_factory):
    # Every test builds its own app; compiling the templates anew would take most of the time.
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


@pytest.fixture
def app(tables, compiled_templates):
    app = create_app(tables, signing_key=KEY)
    app.jinja_env.bytecode_cache = compiled_templates
    return app


@pytest.fixture
def phone(app):
    return Phone(app)


@pytest.fixture
def french_phone(app):
    return Phone(app, FRENCH)


@pytest.fixture
def a_file(tmp_path):
    """Write a file; return its path."""

    def write(content, name="table.json"):
        file = tmp_path / name
        if isinstance(content, bytes):
            file.write_bytes(content)
        else:
            text = content if isinstance(content, str) else json.dumps(content)
            file.write_text(text, encoding="utf-8")
        return file

    return write


@pytest.fixture
def phone_with(tables, compiled_templates, tmp_path):
    """Return a function that gives a phone at a companion with this eye."""
    apps = []

    def make(eye):
        app = create_app(tables, signing_key=KEY, photos=tmp_path / "photos", scanner=RoomScanner, eye=eye)
        app.jinja_env.bytecode_cache = compiled_templates
        apps.append(app)
        return Phone(app)

    yield make
    for app in apps:
        app.extensions["watching"].close()
        app.extensions["looks"].close()
