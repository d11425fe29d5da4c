"""What never leaves the server: the record behind a page, and the identities of other phones."""

import re
from pathlib import Path

import pytest

from tests.web.all_pages import readable_pages
from tests.web.phone import Phone

TEMPLATES = Path(__file__).parents[2] / "web" / "templates"


@pytest.mark.parametrize("template", sorted(TEMPLATES.rglob("*.*")), ids=lambda path: path.name)
def test_a_template_reads_views_and_never_the_record(template):
    code = " ".join(re.findall(r"{[{%](.*?)[%}]}", template.read_text(encoding="utf-8"), re.DOTALL))

    assert not re.search(r"\b(journal|state|device|host|entries|store|tables)\b", code)


def test_no_page_holds_the_identity_of_a_phone(app, phone):
    code = phone.create()
    phone.sit(code, 0)
    other = Phone(app)
    other.sit(code, 1)
    identities = set(app.extensions["tables"].store.seats(code).values())
    assert len(identities) == 2

    for reader in (phone, other, Phone(app)):
        for address in readable_pages(code):
            text = reader.get(address).text
            assert not [identity for identity in identities if identity in text], address
