"""The French catalogue as the pages use it, read without Flask."""

import gettext
from pathlib import Path

import web

TRANSLATIONS = Path(web.__file__).parent / "translations"
CATALOGUE = gettext.translation("messages", TRANSLATIONS, ["fr"])


def in_french(text, **values):
    """Return the French form of an English text; a test asking for it must get another one."""
    french = CATALOGUE.gettext(text)
    assert french != text, f"no French for {text!r}"
    return french % values if values else french
