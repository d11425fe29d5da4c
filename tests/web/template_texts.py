"""Finds words in templates that no translator would ever see."""

import re
from html.parser import HTMLParser

from jinja2 import Environment

SPOKEN = ("aria-label", "title", "placeholder", "alt")
FILLED_IN = "\N{OBJECT REPLACEMENT CHARACTER}"  # stands where a template fills something in
LETTERS = re.compile(r"[^\W\d_]{2,}")  # one letter alone is a mark, such as the x of "2 x Brou"
SILENT = ("script", "style")
CLASS_BLOCKS = ("look",)  # blocks that page.html puts into an attribute


class _Words(HTMLParser):
    """Collects text and spoken attributes."""

    def __init__(self):
        super().__init__()
        self.found = []
        self._silent = 0

    def handle_starttag(self, tag, attrs):
        self._silent += tag in SILENT
        self.found += [
            value for name, value in attrs if value and (name in SPOKEN or name.startswith("data-text"))
        ]

    def handle_endtag(self, tag):
        self._silent -= tag in SILENT

    def handle_data(self, data):
        if not self._silent:
            self.found.append(data)


def untranslated(source):
    """Return the words of a template that are outside ``_()``, in order."""
    markup, quoted = [], []
    inside, depth, statement, is_class = None, 0, [], False
    for _line, kind, text in Environment().lex(source):
        match kind:
            case "data" if not is_class:
                markup.append(text)
            case "variable_begin":
                inside, depth = "variable", 0
                markup.append(FILLED_IN)
            case "block_begin":
                inside, statement = "block", []
            case "block_end":
                is_class = statement[:1] != ["endblock"] and (is_class or _opens_class_block(statement))
            case "name":
                statement.append(text)
            case "operator" if text in "([{":
                depth += 1
            case "operator" if text in ")]}":
                depth -= 1
            # A text that is shown as it is: {{ "Hello" if new }}, not the argument of _("Hello").
            case "string" if inside == "variable" and depth == 0 and _in_text("".join(markup)):
                quoted.append(text[1:-1])
    words = _Words()
    words.feed("".join(markup))
    words.close()
    parts = [part.strip() for text in (*words.found, *quoted) for part in text.split(FILLED_IN)]
    return [part for part in parts if LETTERS.search(part)]


def _opens_class_block(statement):
    return statement[:1] == ["block"] and statement[1] in CLASS_BLOCKS


def _in_text(markup):
    """Whether what follows *markup* is text or a spoken attribute, not a class or an address."""
    tag = markup[markup.rfind("<") :] if markup.rfind("<") > markup.rfind(">") else ""
    attribute = re.search(r"([\w-]+)=[\"'][^\"']*$", tag)
    return not tag or bool(attribute and attribute[1] in SPOKEN)
