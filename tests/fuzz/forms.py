"""The forms of real pages with fields changed, doubled, left out, made huge, sent in other ways."""

from hypothesis import strategies as st

from companion.errors import UnknownGame
from companion.games import GAMES
from tests.fuzz import wild
from tests.fuzz.plays import GOLDEN, NAMES, new_table
from tests.fuzz.sending import EDGE, multipart, raw, send, urlencoded
from tests.fuzz.world import World, photo
from tests.web.html_page import Page

LIMIT_S = 20.0
MOST_SENT = 8

# What the script sends, or what a page offers only in a state that random play seldom reaches.
SELDOM = {
    "play.redo": {"seat": ["0", "1"], "seen": ["0", "1"], "tap": ["a"]},
    "drop.roll": {"seat": ["0", "1"], "seen": ["0", "1"], "tap": ["a"]},
    "photos.snap": {"seat": ["0", "1"]},
    "watching.watch": {"seat": ["0", "1"], "follow": ["yes", "no"]},
    "watching.frame": {"seat": ["0", "1"], "first": ["yes", "no"], "photo": [""]},
    "colours.keep": {"seat": ["0", "1"], "lesson": ["x"], "keep": ["yes", "no"]},
    "colours.forget": {"seat": ["0", "1"]},
}
DULL = ("language.switch", "manage.delete", "seats.free", "seats.take")
PAGES = ("?seat=0", "seats/", "history/", "delete/", "result")
OF_GAME = {
    "dungeon-drop": ("?cube=3", "?room=0-1-2&doubt=6", "?seat=1&x=10&y=10", "camera", "colours"),
    "apprentis": ("?seat=0&place=room1", "?seat=0&place=groups"),
    "welcome": ("tiles/torch",),
    "welcome-back": ("tiles/vorpal-axe",),
    "guilds": ("?seat=0&for=1",),
}
FILES = {"photo": photo(), "file": GOLDEN[0].read_bytes()}
TYPES = (
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=utf-16",
    "application/x-www-form-urlencoded; charset=nonsense",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "application/json",
    "text/plain",
    "",
)


class Subject:
    """Forms sent to one table after the other."""

    LIMIT_S = LIMIT_S

    def __init__(self):
        self.world = World()
        self._routes = self.world.app.url_map.bind("localhost")
        self._rules = {
            rule.endpoint: str(rule) for rule in self.world.app.url_map.iter_rules() if "POST" in rule.methods
        }

    def close(self):
        """Forget everything."""
        self.world.close()

    def one(self, case):
        """Play a random game, then send a few of its forms."""
        world = self.world.renewed(after=40)
        game = case.draw(st.sampled_from((*sorted(GAMES), "dungeon-drop")))
        code = new_table(case, world.tables, game, most_events=40)
        world.phone.sit_everywhere(code)
        case.do("world.phone.sit_everywhere(code)")
        if game == "dungeon-drop":
            world.photograph(code)
            case.do("world.photograph(code)")
        forms = self._forms(code, game)
        for _ in range(case.draw(st.integers(1, MOST_SENT))):
            self._send(case, code, forms)
        world.wait_for_photos(code)
        self._keep_table(code)
        world.check_whole_table(code)

    def _forms(self, code, game):
        """Return what can be filled in, by what it is for: ways to send it, each of names to values."""
        usual = ("play.",) if game != "dungeon-drop" else tuple(SELDOM)
        found = {name: [("", fields)] for name, fields in SELDOM.items() if name.startswith(usual)}
        addresses = [f"/t/{code}/{path}" for path in (*PAGES, *OF_GAME[game])]
        for address in (*addresses, "/", f"/new/{game}"):
            for form in Page(self.world.phone.get(address).text).forms:
                if form.method == "post":
                    endpoint, _ = self._routes.match(form.action.partition("?")[0], "POST")
                    found.setdefault(endpoint, []).append((form.action, _choices(form)))
        return found

    def _send(self, case, code, forms):
        world = self.world
        endpoint = self._endpoint(case, forms)
        address, fields = case.draw(st.sampled_from(forms.get(endpoint) or [("", {})]))
        address = address or self._address(case, endpoint, code)
        before = world.tables.open(code)
        body, headers = self._body(case, self._pairs(case, fields, before.version))
        told, sent = address.replace(code, "{code}"), repr(body.replace(code.encode(), b"CODE"))
        sent += ".replace(b'CODE', code.encode())" if code.encode() in body else ""
        case.do(f"send(world.phone, 'POST', f{told!r}, {sent}, {headers!r})")
        answer = send(world.phone, "POST", address, body, headers)
        case.answered(f"{endpoint} {answer.status_code}")
        world.check_answer(answer)
        self._keep_table(code)
        world.check_table(code)
        if world.tables.open(code) is not before:
            world.check_pages(code, ("", "?seat=1"))

    def _endpoint(self, case, forms):
        """Choose what to send: mostly what the game is about."""
        if case.chance(12):
            return case.draw(st.sampled_from(sorted(self._rules)))
        if case.chance(4):
            return "play.act"
        dull = () if case.chance(6) else DULL
        return case.draw(st.sampled_from(sorted(name for name in forms if name not in dull)))

    def _keep_table(self, code):
        """Take the table out of the bin again."""
        try:
            self.world.store.game(code)
        except UnknownGame:
            self.world.store.set_deleted(code, None)

    def _address(self, case, endpoint, code):
        seat = case.draw(st.sampled_from(("0", "1", "9", str(10**30))))
        rule = self._rules[endpoint].replace("<code>", code).replace("<int:seat>", seat)
        return rule.replace("<game>", "guilds")

    def _pairs(self, case, fields, version):
        """Choose values for the fields of a form, mostly possible ones."""
        pairs = []
        for name, possible in fields.items():
            if name == "player":  # a field for each
                pairs += [(name, who) for who in NAMES[: case.draw(st.integers(0, 6))]]
                continue
            value = case.draw(st.sampled_from(possible)) if possible else ""
            pairs.append((name, str(version) if name == "seen" and not case.chance(5) else value))
        for _ in range(case.draw(st.sampled_from((0, 1, 1, 2, 3)))):
            pairs = self._changed(case, pairs)
        return [(raw(name), raw(value)) for name, value in pairs]

    def _changed(self, case, pairs):
        how = case.draw(st.sampled_from(("wild", "wild", "number", "drop", "double", "add", "swap")))
        if how == "add" or not pairs:
            return [*pairs, (case.draw(wild.texts), case.draw(wild.texts))]
        at = case.draw(st.integers(0, len(pairs) - 1))
        name, value = pairs[at]
        if how == "drop":
            return pairs[:at] + pairs[at + 1 :]
        if how == "double":
            return [*pairs, (name, case.draw(wild.texts))]
        if how == "swap":
            return [*pairs[:at], (name, pairs[at - 1][1]), *pairs[at + 1 :]]
        value = case.draw(wild.texts if how == "wild" else wild.numbers.map(str))
        return [*pairs[:at], (name, value), *pairs[at + 1 :]]

    def _body(self, case, pairs):
        """Return the bytes of a form and its headers."""
        if not case.chance(20):
            pairs = [(b"csrf_token", b"TOKEN"), *(pair for pair in pairs if pair[0] != b"csrf_token")]
        live = (("X-Live", "1"),) if case.chance(2) else ()
        files = [pair[0] for pair in pairs if pair[0].decode("utf-8", "replace") in FILES]
        if files or case.chance(6):
            return self._with_files(case, pairs), (*live, ("Content-Type", _multipart_type()))
        body = urlencoded(pairs)
        if case.chance(10):  # in the letters of another system
            body = body.replace(b"%C3", b"%E9").replace(b"a", b"%FF", 1)
        kind = TYPES[0] if not case.chance(12) else case.draw(st.sampled_from(TYPES))
        headers = (*live, ("Content-Type", kind))
        if case.chance(25):
            headers = (*headers, ("Content-Length", case.draw(st.sampled_from(("", "0", "-5", "x", "7")))))
        return body, headers

    def _with_files(self, case, pairs):
        files, texts = [], []
        for name, value in pairs:
            known = FILES.get(name.decode("utf-8", "replace"))
            as_file = case.chance(10) if known is None else not case.chance(5)
            if not as_file:
                texts.append((name, value))
                continue
            data = value if known is None or case.chance(4) else known
            if case.chance(5):
                data = data[: case.draw(st.integers(0, len(data)))]
            files.append((name, raw(case.draw(st.sampled_from(("x", "", "../x", "\x00", "\ud800")))), data))
        body = multipart(texts, files)
        return body[: case.draw(st.integers(0, len(body)))] if case.chance(15) else body


def _multipart_type():
    return f'multipart/form-data; boundary="{EDGE.decode()}"'


def _choices(form):
    """Return the names of a form's fields with all values that the page offers for each."""
    names = {}
    for name, value in form.fields:
        names.setdefault(name, []).append(value)
    for name, values in (*form.choices.items(), *form.selects.items()):
        names.setdefault(name, []).extend(values)
    for name, most in form.numbers.items():
        names.setdefault(name, []).extend(("0", "1", str(most)))
    for button in form.buttons:
        if button.name:
            names.setdefault(button.name, []).append(button.value)
    for name in form.ticks:
        names.setdefault(name, []).append("on")
    if form.action.endswith(("/photo", "/colours")):
        names["photo"] = [""]
    if form.action.endswith("/import"):
        names["file"] = [""]
    return names
