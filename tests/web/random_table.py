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
    """Return everything that can be pressed at the table, with every choice and tick: (form, button, changes)."""
    found = []
    for form in page.forms_to("/act"):
        choices = [[(name, value) for value in values] for name, values in form.choices.items()]
        ticks = [[None, (name, "on")] for name in form.ticks]
        for button in form.live_buttons:
            for chosen in itertools.product(*choices, *ticks):
                found.append((form, button, dict(pair for pair in chosen if pair)))
    return found


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
        """Press a button; it must be recorded and lead to a page without complaint."""
        version = self.journal.version
        answer = self.phones[seat].submit(form, button, **changes)
        assert answer.status_code == 303, body_of(form, button, **changes)
        page = self.phones[seat].page(answer.location)
        assert page.notices == [], (page.notices, body_of(form, button, **changes))
        assert self.journal.version == version + 1
        return page

    def pages_of_play(self, most_steps=800):
        """Play to the scoring; yield (seat, page) before each press."""
        for _ in range(most_steps):
            state = self.journal.state
            if state.phase != "playing":
                return
            seat = self.rng.choice((state.turn, self.rng.randrange(len(self.phones))))
            page = self.open(seat)
            yield seat, page
            form, button, changes = self._choose(page)
            self.press(seat, form, button, **changes)
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
        page = self.open(seat)
        while True:
            yield page
            sheet = next((form for form in page.forms_to("/act") if form.numbers), None)
            typed = {name: self.rng.choice((0, 0, 1, 2)) for name in sheet.numbers}
            page = self.press(seat, sheet, sheet.live_buttons[0], **typed)
            yield page
            sheet = next(form for form in page.forms_to("/act") if form.numbers)
            page = self.press(seat, sheet, self.rng.choice(sheet.live_buttons))
            yield page
            signature = [form for form in page.forms_to("/act") if not form.numbers]
            if signature:
                self.press(seat, signature[0], signature[0].buttons[0])
                return
            page = self.phones[seat].page(page.primary_link)
