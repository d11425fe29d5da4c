"""An HTML page as a browser without scripts understands it: words, links, forms and their buttons."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "use"}
SPOKEN = ("aria-label", "title", "placeholder", "alt")  # attributes a person reads or hears
HIDDEN_TEXT = ("script", "style")


@dataclass
class Button:
    """One way to send a form."""

    name: str = ""
    value: str = ""
    disabled: bool = False
    label: str = ""


@dataclass
class Form:
    """A form with everything it would send."""

    action: str
    method: str
    fields: list = field(default_factory=list)  # (name, value) of what is sent as the page stands
    numbers: dict = field(default_factory=dict)  # number inputs and the most they take
    choices: dict = field(default_factory=dict)  # radio buttons: name to all values
    selects: dict = field(default_factory=dict)  # drop-down lists: name to all values
    ticks: list = field(default_factory=list)  # checkboxes, sent only when ticked
    buttons: list = field(default_factory=list)

    def value(self, name):
        """Return what the field *name* would send first."""
        return next((value for key, value in self.fields if key == name), None)

    def sent_by(self, button=None, **changes):
        """Return all fields a press of *button* sends, with some typed or ticked otherwise."""
        sent = {}
        for name, value in self.fields:
            sent.setdefault(name, []).append(value)
        if button is not None and button.name:
            sent[button.name] = [button.value]
        for name, value in changes.items():
            sent[name] = value if isinstance(value, list) else [str(value)]
        return sent

    @property
    def live_buttons(self):
        """The buttons that can be pressed."""
        return [button for button in self.buttons if not button.disabled]


class Page(HTMLParser):
    """A parsed page."""

    def __init__(self, text):
        super().__init__()
        self.source = text
        self.tags = []  # (name, attributes)
        self.forms = []
        self.links = []
        self.anchors = []  # attributes of every link
        self.tables = []  # each a list of rows, each a list of cells' words
        self.notices = []
        self.words = []
        self.ids = {}
        self._by_id = {}
        self._loose = []  # buttons that stand outside the form they send
        self._open = []  # (tag, attributes) of the elements we are in
        self._form = None
        self._button = None
        self._select = None
        self.feed(text)
        self.close()
        for name, button in self._loose:
            self._by_id[name].buttons.append(button)

    @property
    def text(self):
        """All visible words, and the spoken labels, with single spaces."""
        return " ".join(" ".join(self.words).split())

    def part(self, name):
        """Return the words inside the element with this id, with single spaces."""
        return " ".join(self.ids[name].split())

    @property
    def primary_link(self):
        """Return where the one big button leads, if it is a link."""
        return next((a["href"] for a in self.anchors if "primary" in a.get("class", "").split()), None)

    def forms_to(self, ending):
        """Return the forms whose address ends so."""
        return [form for form in self.forms if form.action.endswith(ending)]

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append((tag, attrs))
        if tag not in VOID:
            self._open.append((tag, attributes))
        if "id" in attributes:
            self.ids[attributes["id"]] = ""
        self.words.extend(attributes[name] for name in SPOKEN if attributes.get(name))
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
            self.anchors.append(attributes)
        if attributes.get("role") == "alert" and "hidden" not in attributes:
            self.notices.append("")
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag == "form":
            self._form = Form(attributes.get("action", ""), attributes.get("method", "get"))
            self.forms.append(self._form)
            if "id" in attributes:
                self._by_id[attributes["id"]] = self._form
        elif tag == "button":
            self._add_button(attributes)
        elif tag == "input" and self._form is not None:
            self._add_input(attributes)
        elif tag == "select":
            self._select = attributes.get("name")
        elif tag == "option" and self._form is not None:
            self._add_option(attributes)

    def _add_button(self, attributes):
        self._button = Button(
            attributes.get("name", ""),
            attributes.get("value", ""),
            "disabled" in attributes,
            attributes.get("aria-label", ""),
        )
        if attributes.get("type", "submit") != "submit":
            return
        if "form" in attributes:
            self._loose.append((attributes["form"], self._button))
        elif self._form is not None:
            self._form.buttons.append(self._button)

    def _add_input(self, attributes):
        name, kind = attributes.get("name"), attributes.get("type", "text")
        value = attributes.get("value", "on" if kind in ("checkbox", "radio") else "")
        if name is None or kind == "file" or "disabled" in attributes:
            return
        if kind == "radio":
            self._form.choices.setdefault(name, []).append(value)
        if kind == "checkbox":
            self._form.ticks.append(name)
        if kind == "number":
            self._form.numbers[name] = int(attributes["max"])
        if kind not in ("checkbox", "radio") or "checked" in attributes:
            self._form.fields.append((name, value))

    def _add_option(self, attributes):
        self._form.selects.setdefault(self._select, []).append(attributes["value"])
        # The first one is chosen unless another says so.
        if "selected" in attributes:
            self._form.fields = [pair for pair in self._form.fields if pair[0] != self._select]
        if "selected" in attributes or self._form.value(self._select) is None:
            self._form.fields.append((self._select, attributes["value"]))

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if tag not in (name for name, _attributes in self._open):
            return
        while self._open.pop()[0] != tag:
            pass
        if tag == "form":
            self._form = None
        elif tag == "button":
            self._button = None
        elif tag == "select":
            self._select = None

    def handle_data(self, data):
        if any(tag in HIDDEN_TEXT for tag, _attributes in self._open):
            return
        if not any("hidden" in attributes for _tag, attributes in self._open):
            self.words.append(data)
        if self._button is not None and not self._button.label:
            self._button.label = data.strip()
        if any(tag in ("td", "th") for tag, _attributes in self._open):
            self.tables[-1][-1][-1] += data.strip()
        for _tag, attributes in self._open:
            if "id" in attributes:
                self.ids[attributes["id"]] += " " + data
        if any(attributes.get("role") == "alert" for _tag, attributes in self._open) and self.notices:
            self.notices[-1] += data.strip()
