"""A whole game played by pressing random buttons of the pages, as browsers without scripts do."""

import itertools
import json

from companion.errors import CompanionError
from web.apprentis.forms import read_form

NOT_BY_CHANCE = ("scoring_opened",)  # would end most random games at once


def body_of(form, button=None, **changes):
    """Return the event that pressing *button* would send."""
    sent = {name: values[0] for name, values in form.sent_by(button, **changes).items()}
    return json.loads(sent["event"]) if "event" in sent else read_form(sent, int(sent["seat"]))


def offers(page):
    """Return everything that can be pressed, with every choice and tick: (form, button, changes)."""
    found = []
    for form in page.forms_to("/act"):
        choices = [[(name, value) for value in values] for name, values in form.choices.items()]
        ticks = [[None, (name, "on")] for name in form.ticks]
        for button in form.live_buttons:
            for chosen in itertools.product(*choices, *ticks):
                found.append((form, button, dict(pair for pair in chosen if pair)))
    return found


def sheet_of(page):
    """Return the form of the place that is open on a score sheet, or None."""
    return next((f for f in page.forms_to("/act") if f.value("form") in ("place", "groups", "malus")), None)


def offered_events(page, codec):
    """Return the events behind all buttons of a page."""
    return {codec.read(body_of(*offer[:2], **offer[2])) for offer in offers(page)}


def illegal_offers(page, journal):
    """Return the buttons of a page that the rules would refuse."""
    refused = []
    for form, button, changes in offers(page):
        body = body_of(form, button, **changes)
        try:
            journal.rules.apply(journal.state, journal.rules.codec.read(body))
        except CompanionError as error:
            refused.append((body, str(error)))
    return refused


class RandomTable:
    """One game; every phone holds one seat."""

    def __init__(self, phones, code, rng):
        self.phones, self.code, self.rng = phones, code, rng

    @property
    def journal(self):
        return self.phones[0].journal(self.code)

    def open(self, seat, query=""):
        """Open the table's page on the phone of *seat*."""
        return self.phones[seat].page(f"/t/{self.code}/?seat={seat}{query}")

    def press(self, seat, form, button, **changes):
        """Press a button; it must be recorded. Return the page it leads to."""
        version = self.journal.version
        answer = self.phones[seat].submit(form, button, **changes)
        assert answer.status_code == 303, body_of(form, button, **changes)
        assert self.journal.version == version + 1, body_of(form, button, **changes)
        return answer.location

    def pages_of_play(self, most_steps=800):
        """Play to the scoring; yield (seat, page) before each press."""
        for _ in range(most_steps):
            state = self.journal.state
            if state.phase != "playing":
                return
            seat = self.rng.choice((state.turn, self.rng.randrange(len(self.phones))))
            page = self.open(seat)
            assert page.notices == []
            yield seat, page
            form, button, changes = self._choose(page)
            picked = {name: self.rng.choice(values) for name, values in form.selects.items()}
            self.press(seat, form, button, **changes, **picked)
        raise AssertionError("the game does not end")

    def _choose(self, page):
        found = [(offer, body_of(*offer[:2], **offer[2])["type"]) for offer in offers(page)]
        found = [(offer, kind) for offer, kind in found if kind not in NOT_BY_CHANCE]
        # Cards and turns bring the game on, the rest happens in between.
        wanted = self.rng.choice(({"threat_revealed", "inn_revealed"}, {"turn_ended"}, None))
        matching = [offer for offer, kind in found if wanted is None or kind in wanted]
        return self.rng.choice(matching or [offer for offer, _kind in found])

    def fill_in(self, seat):
        """Fill in a score sheet from its first place to its signature; yield every page."""
        phone, page = self.phones[seat], self.open(seat)
        while True:
            sheet = sheet_of(page)
            typed = {name: self.rng.choice((0, 0, 1, 2)) for name in sheet.numbers}
            page = phone.page(self.press(seat, sheet, sheet.live_buttons[0], **typed))
            assert page.notices == []
            yield page
            sheet = sheet_of(page)
            page = phone.page(self.press(seat, sheet, self.rng.choice(sheet.live_buttons)))
            yield page
            signature = next((f for f in page.forms_to("/act") if f.buttons[0].name == "event"), None)
            if signature:
                self.press(seat, signature, signature.buttons[0])
                return
            page = phone.page(page.primary_link)
