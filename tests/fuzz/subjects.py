"""What can be fuzzed, by name."""

from contextlib import closing
from importlib import import_module

SUBJECTS = ("events", "forms", "pages", "logs", "pictures", "tables")


def opened(name):
    """Return a subject, ready to be run, that is closed at the end of a ``with``."""
    return closing(import_module(f"tests.fuzz.{name}").Subject())
