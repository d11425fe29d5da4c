"""Things with a lifetime: stores on a temporary disk, closed again after the test."""

import pytest

from companion.store import Store
from companion.tables import Tables


@pytest.fixture
def open_store(tmp_path):
    """Give a function that opens the record in the test's folder, as a new process would."""
    opened = []

    def opener(folder=tmp_path):
        store = Store(folder)
        opened.append(store)
        return store

    yield opener
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store):
    return open_store()


@pytest.fixture
def open_tables(open_store):
    """Give a function that opens all games of the test's folder, as a new process would."""
    return lambda **options: Tables(open_store(), **options)


@pytest.fixture
def tables(open_tables):
    return open_tables()
