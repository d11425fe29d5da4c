"""A phone in a test: its own cookies and language, pages read as HTML, forms sent as a browser would."""

import itertools
import json

from tests.web.html_page import Page

ENGLISH, FRENCH = "en-GB,en;q=0.8", "fr-FR,fr;q=0.9,en;q=0.5"

# Fixed objectives, so that scores are known and no test depends on a draw.
OBJECTIVES = {
    "spider": "spider-brou",
    "brou": "brou-pairs",
    "vampire": "vampire-crowd",
    "dragon": "dragon-each",
}

NOBODY = {"spider": 0, "brou": 0, "dragon": 0, "vampire": 0, "skeleton": 0, "vip": 0}


def place_filled(player, place="room1", **monsters):
    """Build the event that writes down who stands in a place."""
    return {"type": "place_filled", "player": player, "place": place, "monsters": {**NOBODY, **monsters}}


def group_entered(player):
    """Build the event of a new group."""
    return {"type": "group_entered", "player": player}


def sheet_signed(player):
    """Build the event that completes a score sheet."""
    return {"type": "sheet_signed", "player": player}


class Phone:
    """One browser."""

    _taps = itertools.count(1)

    def __init__(self, app, language=ENGLISH):
        self.app = app
        self.client = app.test_client()
        self.language = language
        self._token = None

    # Reading

    def get(self, path, *, live=False, **headers):
        """Open an address."""
        return self.client.get(path, headers=self._headers(live, headers))

    def page(self, path):
        """Open a page, following redirects, and read it."""
        answer = self.client.get(path, headers=self._headers(False, {}), follow_redirects=True)
        assert answer.status_code == 200, (path, answer.status_code)
        return Page(answer.text)

    @property
    def token(self):
        """The token that guards this phone's forms, read from a page."""
        if self._token is None:
            self._token = self.page("/").forms[0].value("csrf_token")
        return self._token

    # Sending

    def post(self, path, fields=None, *, live=False, token=True, **headers):
        """Send a form; *token* False leaves the guard out."""
        data = {**({"csrf_token": self.token} if token else {}), **(fields or {})}
        return self.client.post(path, data=data, headers=self._headers(live, headers))

    def submit(self, form, button=None, **changes):
        """Send a form of a page as a browser without scripts does."""
        assert form.method == "post"
        sent = form.sent_by(button, **changes)
        return self.client.post(form.action, data=sent, headers=self._headers(False, {}))

    # Playing

    def create(self, *names, mode="full", **fields):
        """Set up a game and return its code."""
        options = {f"option-{key}": value for key, value in {**OBJECTIVES, "mode": mode}.items()}
        fields = {"player": list(names or ("Ana", "Ben")), "listed": "on", **options, **fields}
        answer = self.post("/new/apprentis", fields)
        assert answer.status_code == 303, answer.text
        return answer.location.split("/")[2]

    def sit(self, code, *seats):
        """Take seats."""
        for seat in seats:
            assert self.post(f"/t/{code}/seats/{seat}/take").status_code == 303
        return self

    def sit_everywhere(self, code):
        """Take all free seats."""
        assert self.post(f"/t/{code}/seats/take-free").status_code == 303
        return self

    def act(self, code, event=None, *, seat=0, seen=None, tap=None, live=True, **fields):
        """Tap something; *event* is sent as JSON, other forms by *fields*."""
        sent = {
            "seat": seat,
            "seen": self.version(code) if seen is None else seen,
            "tap": tap or f"tap-{next(self._taps)}",
            **fields,
        }
        if event is not None:
            sent["event"] = event if isinstance(event, str) else json.dumps(event)
        return self.post(f"/t/{code}/act", sent, live=live)

    def must(self, code, *events, seat=0):
        """Tap several things that all have to be accepted."""
        for event in events:
            answer = self.act(code, event, seat=seat)
            assert answer.status_code == 200, answer.text
        return self

    def steer(self, code, what, *, seat=0, live=True, tap=None, **fields):
        """Undo, redo or rewind."""
        sent = {"seat": seat, "tap": tap or f"tap-{next(self._taps)}", **fields}
        return self.post(f"/t/{code}/{what}", sent, live=live)

    def finish(self, code, seats=(0, 1)):
        """Stop playing if need be and complete all score sheets."""
        if self.journal(code).state.phase == "playing":
            self.must(code, {"type": "scoring_opened"}, seat=seats[0])
        for seat in seats:
            self.must(code, sheet_signed(seat), seat=seat)
        return self

    # Looking behind the scenes

    def journal(self, code):
        """Return the game as the server knows it."""
        return self.app.extensions["tables"].open(code)

    def version(self, code):
        """Return how many entries the game's log has."""
        return self.journal(code).version

    def _headers(self, live, more):
        headers = {"Accept-Language": self.language, **more}
        return {**headers, "X-Live": "1"} if live else headers
