"""Every address with wild arguments, queries, headers and methods; reading changes nothing."""

import random
import re
from urllib.parse import parse_qsl, quote_from_bytes, urlsplit

from hypothesis import strategies as st

from companion.games import GAMES
from tests.fuzz import wild
from tests.fuzz.bounded import Broken
from tests.fuzz.plays import NAMES, play
from tests.fuzz.sending import raw, send, urlencoded
from tests.fuzz.world import World
from tests.web.html_page import Page

LIMIT_S = 10.0
METHODS = ("GET",) * 20 + ("HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW", "get")
START = ("/", "/new/apprentis", "/new/guilds", "/new/dungeon-drop", "/new/welcome")

# Asked for in an address by the pages' script or by players, though no link holds it.
QUERIES = {
    "seat": ("0", "1", "2"),
    "watch": ("1",),
    "place": ("room1", "groups", "malus"),
    "drew": ("dragon", "orc", "mimic"),
    "in": ("1-0", "1-1"),
    "rooms": ("1.3.5.2.4", "1.3.5.2.4,2.5.8.4.7,3.7.10.6.9"),
    "level": ("1", "2"),
    "defence_low": ("3",),
    "defence_high": ("5",),
    "treasure_low": ("2",),
    "treasure_high": ("4",),
    "for": ("1",),
    "with": ("1", "5"),
    "again": ("CODE",),
    "lesson": ("x",),
    "printed": ("1",),
    "paper": ("letter", "a4"),
    "followed": ("1",),
    "room": ("0-1-2", "0-1-1", "2-1-0"),
    "pick": ("0", "0-1"),
    "cube": ("0", "6", "90000"),
    "doubt": ("6", "4"),
    "flick": ("3", "0"),
    "x": ("0", "10", "63"),
    "y": ("0", "10", "47"),
    "hero": ("0",),
    "quest": ("0",),
}
HEADERS = {
    "Accept-Language": (
        "fr",
        "*",
        "fr;q=nan,en;q=inf",
        "fr-" * 300,
        "en;q=-1",
        ";;,,",
        "xx-YY-zz-1234567890",
    ),
    "Host": (
        "localhost:80",
        "192.168.1.20:8000",
        "[::1]",
        "[::1",
        "localhost:99999999",
        "localhost:x",
        "a" * 300,
        ".".join(["abcdefgh"] * 260),
        "",
        " ",
        "a b",
        "<script>",
        "é.example",
        "user@localhost",
        "localhost/..",
    ),
    "Cookie": (
        "dungeon=",
        "dungeon=x.y.z",
        "dungeon=eyJ9.",
        "=",
        ";;;",
        "dungeon=" + "a" * 9_000,
        "\xff=\xff",
    ),
    "Range": (
        "bytes=0-",
        "bytes=-1",
        "bytes=5-2",
        "bytes=0-0,2-3,9-",
        "bytes=99999999999999999999-",
        "x=1",
        "bytes=--",
    ),
    "X-Live": ("1", ""),
    "If-None-Match": ("*", '"x"', 'W/"', '"' * 50),
    "If-Modified-Since": ("x", "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 99 Foo 99999 99:99:99 GMT"),
    "If-Range": ("x", '"x"'),
    "Accept": ("*/*", "application/json", ";q=", "text/html;q=x"),
    "Accept-Encoding": ("gzip, br;q=2", "identity;q=0, *;q=0"),
    "Origin": ("null", "http://localhost", "http://[", "http://elsewhere.example"),
    "Referer": ("http://localhost/", "http://["),
    "Sec-Fetch-Site": ("same-origin", "cross-site"),
    "Content-Type": (
        "application/json",
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "x" * 5_000,
    ),
    "Content-Length": ("-1", "x", "5", "99999999999999999999"),
    "Transfer-Encoding": ("chunked",),
    "X-Forwarded-Host": ("elsewhere.example",),
    "Authorization": ("Basic x", "Bearer", "Digest ,,,="),
}


# As numbers of photos, seats and edges; the last one is more than Python reads as a number.
LONG_NUMBERS = (str(10**9), str(10**40), str(10**260), str(10**330), "9" * 5_000)


class Subject:
    """Pages of tables of all games, in many states."""

    LIMIT_S = LIMIT_S

    def __init__(self):
        self.world = World()
        self.codes = some_tables(self.world)
        rules = [rule for rule in self.world.app.url_map.iter_rules() if rule.endpoint != "static"]
        # What only takes forms comes seldom: it says no to everything else.
        self._rules = sorted(str(rule) for rule in rules for _ in range(8 if "GET" in rule.methods else 1))
        self._links = self._all_links()
        self._before = self.world.record()
        self.world.changed()

    def close(self):
        """Forget everything."""
        self.world.close()

    def _all_links(self):
        found = set(START)
        for code in self.codes:
            for path in ("?seat=0", "history/", "tiles/", "camera"):
                found |= {link for link in Page(self.world.phone.get(f"/t/{code}/{path}").text).links}
        return sorted(link for link in found if link.startswith("/"))

    def one(self, case):
        """Ask for one address; nothing on disk may change."""
        world = self.world
        method = case.draw(st.sampled_from(METHODS))
        path, headers = self._address(case), self._headers(case)
        who = case.draw(st.sampled_from(("phone", "watcher")))
        told = path
        case.do("codes = some_tables(world)")
        for number, code in enumerate(self.codes):
            told = told.replace(code, f"{{codes[{number}]}}")
        case.do(f"send(world.{who}, {method!r}, f{told!r}, headers={headers!r})")
        answer = send(getattr(world, who), method, path, headers=headers)
        case.answered(answer.status_code)
        world.check_answer(answer)
        if world.changed():
            before, self._before = self._before, world.record()
            if self._before != before:
                raise Broken("a request without a form changed something", path)

    def _address(self, case):
        if case.chance(2):
            link = urlsplit(case.draw(st.sampled_from(self._links)))
            path, query = link.path, parse_qsl(link.query, keep_blank_values=True)
        else:
            path, query = self._path(case, case.draw(st.sampled_from(self._rules))), []
        pairs = [(raw(name), raw(value)) for name, value in query]
        for _ in range(case.draw(st.integers(0, 4))):
            pairs = self._changed_query(case, pairs)
        if case.chance(20):
            path = case.draw(st.sampled_from((path[:-1], f"{path}/", f"/{path}", path.upper(), f"{path}%00")))
        path = path or "/"
        return f"{path}?{urlencoded(pairs).decode()}" if pairs else path

    def _path(self, case, rule):
        known = {"code": self.codes, "game": sorted(GAMES), "tile": ("torch", "sixth-tile", "vorpal-axe")}

        def argument(match):
            kind, _, name = match[1].rpartition(":")
            if kind == "int":
                return case.draw(st.one_of(st.integers(0, 20).map(str), st.sampled_from(LONG_NUMBERS)))
            if case.chance(4):
                return quote_from_bytes(raw(case.draw(wild.texts)).replace(b"/", b""), safe="") or "x"
            return case.draw(st.sampled_from(known[name]))

        return re.sub(r"<([^>]+)>", argument, rule)

    def _changed_query(self, case, pairs):
        how = case.draw(st.sampled_from(("known", "known", "known", "wild", "drop", "double")))
        if how == "known":
            name, usual = case.draw(st.sampled_from(sorted(QUERIES.items())))
            value = case.draw(st.sampled_from(usual)).replace("CODE", self.codes[0])
            return [*pairs, (raw(name), raw(value))]
        if how == "wild" or not pairs:
            name = case.draw(st.sampled_from(sorted(QUERIES)))
            return [*pairs, (raw(name), raw(case.draw(st.one_of(wild.texts, wild.numbers.map(str)))))]
        at = case.draw(st.integers(0, len(pairs) - 1))
        if how == "drop":
            return pairs[:at] + pairs[at + 1 :]
        return [*pairs, pairs[at]]

    def _headers(self, case):
        names = case.draw(st.lists(st.sampled_from(sorted(HEADERS)), max_size=3, unique=True))
        any_value = st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=12)
        return tuple(
            (name, case.draw(st.one_of(st.sampled_from(HEADERS[name]), any_value))) for name in names
        )


def some_tables(world):
    """Set up tables of every game, new, in the middle and near the end; return their codes."""
    codes, rng = [], random.Random(1)
    for game, rules in sorted(GAMES.items()):
        for steps in (0, 12, 90):
            code = world.tables.create(game, NAMES[: max(2, rules.min_players)], {})
            play(world.tables, code, steps, rng)
            world.phone.sit(code, 0, 1)
            codes.append(code)
            if game == "dungeon-drop":
                world.photograph(code)
    return codes
