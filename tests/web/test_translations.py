"""The French catalogue: complete, current, sound, and nothing on a page that is not in it."""

import io
import re
from pathlib import Path

import pytest
from babel.messages import frontend
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from tests.web.template_texts import untranslated

ROOT = Path(__file__).parents[2]
FRENCH = ROOT / "web" / "translations" / "fr" / "LC_MESSAGES"
TEMPLATES = sorted(p for p in (ROOT / "web" / "templates").glob("**/*") if p.suffix in (".html", ".svg"))
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%[^(%\s]?")


def read_catalogue():
    return read_po(io.BytesIO((FRENCH / "messages.po").read_bytes()), locale="fr")


@pytest.fixture(scope="module")
def french():
    return read_catalogue()


@pytest.fixture(scope="module")
def collected():
    """Every text in the source, as ``make translations`` collects them."""
    with (ROOT / "web" / "translations" / "babel.cfg").open(encoding="utf-8") as mapping:
        # Babel 2.17 renamed it and warns about the old name.
        parse = getattr(frontend, "parse_mapping_cfg", None) or frontend.parse_mapping
        methods, options = parse(mapping)
    keywords = {**DEFAULT_KEYWORDS, **frontend.parse_keywords(["say", "say_many:1,2"])}
    ours = {"companion", "vision", "web"}
    found = extract_from_dir(
        str(ROOT),
        methods,
        options,
        keywords=keywords,
        directory_filter=lambda folder: Path(folder).relative_to(ROOT).parts[0] in ours,
    )
    catalogue = Catalog()
    for file, line, text, _comments, context in found:
        catalogue.add(text, locations=[(file, line)], context=context)
    return catalogue


def texts(catalogue):
    """Return all texts of a catalogue, without its header."""
    return {message.id for message in catalogue if message.id}


def faults(message):
    """Return what is wrong with the translation of one text."""
    found = []
    ids = message.id if isinstance(message.id, tuple) else (message.id,)
    strings = message.string if isinstance(message.string, tuple) else (message.string,)
    if message.fuzzy:
        found.append("fuzzy")
    if len(strings) != len(ids) or not all(text.strip() for text in strings):
        found.append("empty")
        return found
    # A plural may leave its number out of the singular ("one group"), never the other way round.
    wanted = {frozenset(PLACEHOLDER.findall(text)) for text in ids}
    if any(frozenset(PLACEHOLDER.findall(text)) not in wanted for text in strings):
        found.append("placeholders")
    return found


def test_the_collector_finds_texts_of_rules_pages_and_templates(collected):
    found = texts(collected)

    assert "Every player needs a name." in found  # say()
    assert ("%(count)d malus tile.", "%(count)d malus tiles.") in found  # say_many()
    assert "This file is too large." in found  # gettext()
    assert "Who are you?" in found  # _() in a template
    assert ("%(num)d minute", "%(num)d minutes") in found  # ngettext() in a template


def test_every_text_has_a_french_one(collected, french):
    assert texts(collected) - texts(french) == set()


def test_every_french_text_is_still_used(collected, french):
    assert texts(french) - texts(collected) == set()
    assert dict(french.obsolete) == {}


def test_every_french_text_is_there_certain_and_has_the_same_placeholders(french):
    found = {message.id: faults(message) for message in french if message.id}

    assert {text: what for text, what in found.items() if what} == {}


@pytest.mark.parametrize(
    ("text", "string", "flags", "found"),
    [
        pytest.param("Start", "Commencer", (), [], id="sound"),
        pytest.param("Start", "", (), ["empty"], id="empty"),
        pytest.param("Start", "Commencer", ("fuzzy",), ["fuzzy"], id="fuzzy"),
        pytest.param("%(name)s plays", "%(nom)s joue", (), ["placeholders"], id="renamed"),
        pytest.param("%(name)s plays", "On joue", (), ["placeholders"], id="left out"),
        pytest.param("%(n)d rooms", "%(n)s salles", (), ["placeholders"], id="another kind"),
        pytest.param("Halves", "50 % ", (), ["placeholders"], id="a lonely percent sign"),
        pytest.param(("a", "b"), ("c", ""), (), ["empty"], id="no plural"),
        pytest.param(("%(n)d a", "%(n)d b"), ("%(n)d c", "%(n)d d"), (), [], id="sound plural"),
        pytest.param(("%(n)d a", "%(n)d b"), ("%(n)d c", "%(m)d d"), (), ["placeholders"], id="plural"),
    ],
)
def test_the_check_of_a_french_text_notices(text, string, flags, found):
    message = Catalog(locale="fr").add(text, string, flags=flags)

    assert faults(message) == found


def test_the_compiled_catalogue_is_what_the_french_texts_compile_to(french):
    compiled = io.BytesIO()

    write_mo(compiled, french)

    assert (FRENCH / "messages.mo").read_bytes() == compiled.getvalue(), "run: make translations"


def test_the_comparison_notices_a_changed_text():
    changed, compiled = read_catalogue(), io.BytesIO()
    next(message for message in changed if isinstance(message.string, str) and message.id).string += "!"

    write_mo(compiled, changed)

    assert (FRENCH / "messages.mo").read_bytes() != compiled.getvalue()


# Templates


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_a_template_shows_no_words_outside_the_catalogue(template):
    assert untranslated(template.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        pytest.param("<p>Hello</p>", ["Hello"], id="plain text"),
        pytest.param("<p>{{ _('Hello') }} there</p>", ["there"], id="beside a translated one"),
        pytest.param("<title>Dungeon</title>", ["Dungeon"], id="title"),
        pytest.param('<button aria-label="Close">x</button>', ["Close"], id="label"),
        pytest.param('<input placeholder="Name {{ n }}">', ["Name"], id="placeholder"),
        pytest.param('<img alt="A room" src="/x.png">', ["A room"], id="alternative text"),
        pytest.param('<b title="Why?">{{ n }}</b>', ["Why?"], id="hint"),
        pytest.param('<body data-text-lost="No connection">', ["No connection"], id="text for the script"),
        pytest.param(
            "{% block look %}a{% endblock %}{% block main %}Hello{% endblock %}", ["Hello"], id="block"
        ),
        pytest.param("{% if x %}yes{% else %}{{ _('no') }}{% endif %}", ["yes"], id="in a branch"),
        pytest.param("<p>{{ 'Hello' if new else _('Back') }}</p>", ["Hello"], id="in an expression"),
        pytest.param("<p aria-label=\"{{ 'Hello' }}\"></p>", ["Hello"], id="in an expression in a label"),
        pytest.param("<text>Score</text>", ["Score"], id="in a picture"),
        pytest.param("<p>Zoë &amp; Éric</p>", ["Zoë & Éric"], id="with accents"),
    ],
)
def test_the_check_of_templates_notices(source, found):
    assert untranslated(source) == found


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("<p>{{ _('Hello') }}{{ ngettext('a room', 'rooms', n) }}</p>", id="translated"),
        pytest.param("{# a note for us #}{% set x = 'word' %}", id="notes and settings"),
        pytest.param("<p class=\"{{ 'won' if winner }}\">{{ name }}</p>", id="classes"),
        pytest.param("{% block look %}game-{{ game }}{% endblock %}", id="the block that is a class"),
        pytest.param('<a href="/t/{{ code }}/seats" id="seats">{{ icon("tower") }}</a>', id="addresses"),
        pytest.param("{{ ' · ' if more }}&minus;1 / 5 + {{ n }}…", id="marks and numbers"),
        pytest.param("<script>let word = 1;</script><style>b { color: red }</style>", id="code"),
        pytest.param("{% call button(guest, {'type': 'turn_ended'}, 'wide') %}+{% endcall %}", id="calls"),
    ],
)
def test_the_check_of_templates_lets_through(source):
    assert untranslated(source) == []


def test_the_check_looks_at_every_template():
    names = {path.name for path in TEMPLATES}

    assert {"home.html", "playing.html", "scoring.html", "result.svg", "parts.html"} <= names
