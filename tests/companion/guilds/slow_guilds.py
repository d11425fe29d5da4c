"""A slow, plain referee of Dungeon Guilds, written from the rulebook alone: a table that changes."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.guilds.cards import Master, Room
from companion.guilds.events import AdventurerPlaced, AdventurerPushed, AdventurerReplaced, PlacingEvent
from companion.guilds.state import Piece

BOX = [
    Master.SUCCUBUS,
    Master.BEHOLDER,
    Master.LICH_KING,
    Master.GUARDIAN,
    Master.VAMPIRE_LORD,
    Master.RED_DRAGON,
]
PROMOTIONAL = [
    Master.HELLO_DUCK,
    Master.BIGFUN_KING,
    Master.NAUGHTY_KID,
    Master.BOARDGAME_LORD,
    Master.CAVEMAN,
]


@dataclass
class Chamber:
    """A room card on the table; `who` holds (owner, strength), the owner None for the ghost."""

    level: int
    top_of_defence: int
    who: list[tuple[int | None, int]] = field(default_factory=list)
    won: bool | None = None

    def closed(self) -> bool:
        """Two adventurers reach the highest defence on the back."""
        return len(self.who) == 2 and self.who[0][1] + self.who[1][1] >= self.top_of_defence


class Referee:
    """One game: every method is something that happens at the table and is believed to be allowed."""

    def __init__(
        self, players: int, *, first: int = 0, teams: int = 0, ghost: bool = False, masters: str = "box"
    ) -> None:
        self.count = players
        self.first = first
        self.teams = [[s for s in range(players) if s % teams == t] for t in range(teams)] if teams else []
        self.ghost = ghost
        self.healing = [1, 1, 2, 2, 3]
        self.stayed_home: dict[int, set[int]] = {}
        self.money = [2] * players
        self.bank = -2 * players
        self.round = 1
        self.phase = "dealing"
        self.pile = {"counters": [], "box": BOX, "promos": BOX + PROMOTIONAL}[masters][:]
        self.master: Master | None = None
        self.rooms: list[Chamber] = []
        self.down: list[set[int]] = [set() for _ in range(players)]
        self.secret: dict[int, set[int]] = {}
        self.last_placed: list[set[int]] = [set() for _ in range(players)]
        self.snake = 0  # how often somebody was asked in this placement

    # --- money -------------------------------------------------------------------------------------------

    def give(self, seat: int, amount: int) -> None:
        """Hand money from the bank to a player, or back."""
        self.money[seat] += amount
        self.bank -= amount

    def write(self, seat: int, amount: int, *, healing: bool) -> bool:
        """Note money by hand, if that can be; who cannot pay a whole healing pays what there is."""
        if self.money[seat] + amount < 0:
            if not healing:
                return False
            amount = -self.money[seat]
        self.give(seat, amount)
        return True

    # --- preparation -------------------------------------------------------------------------------------

    def deal(self, rooms: tuple[Room, ...], master: Master | None) -> None:
        """Lay out the dungeon, easiest rooms on top, and the ghosts."""
        self.master = master
        if master is not None:
            self.pile.remove(master)
        self.rooms = []
        for level in (1, 2, 3):
            for room in rooms:
                if room.level == level:
                    self.rooms.append(Chamber(level, room.defence_high))
        if self.ghost:
            for chamber in self.rooms[:2]:
                chamber.who.append((None, chamber.level))
        if master is Master.CAVEMAN:
            for seat in range(self.count):
                self.down[seat] = {1, 2}
            if self.round == 1:
                self.pay_for_disabled()
            self.start_placing()
        elif self.round == 1:
            self.phase = "disabling"
        else:
            self.start_placing()

    def disable(self, seat: int, strengths: tuple[int, ...]) -> None:
        """Note somebody's secret choice; with the last one all are turned over."""
        self.secret[seat] = set(strengths)
        if len(self.secret) == self.count:
            for chooser, chosen in self.secret.items():
                self.down[chooser] = chosen
            self.pay_for_disabled()
            self.start_placing()

    def pay_for_disabled(self) -> None:
        """At the beginning everybody gets the healing costs of the two disabled ones."""
        for seat in range(self.count):
            for strength in self.down[seat]:
                self.give(seat, self.healing[strength - 1])
            self.stayed_home[seat] = set(self.down[seat])

    def write_healing(self, costs: tuple[int, ...]) -> None:
        """Note other costs: at the table everybody got what the cards say, so the first money follows."""
        for seat, home in self.stayed_home.items():
            for_them = sum(costs[strength - 1] for strength in home)
            had = sum(self.healing[strength - 1] for strength in home)
            change = for_them - had
            if self.money[seat] + change < 0:
                change = -self.money[seat]
            self.give(seat, change)
        self.healing = list(costs)

    def correct(self, place: int, room: Room) -> None:
        """Somebody read a back wrongly."""
        self.rooms[place].top_of_defence = room.defence_high

    # --- placement ---------------------------------------------------------------------------------------

    def start_placing(self) -> None:
        """Begin with the first player."""
        self.phase = "placing"
        self.snake = 0

    def placed(self, seat: int) -> list[int]:
        """What somebody has in the dungeon."""
        return [strength for chamber in self.rooms for owner, strength in chamber.who if owner == seat]

    def in_hand(self, seat: int) -> list[int]:
        """What somebody could place now."""
        hand, away = [], self.placed(seat)
        for strength in (1, 2, 3, 4, 5):
            if strength in self.down[seat] or strength in away:
                continue
            if strength == 1 and self.master is Master.SUCCUBUS:
                continue
            hand.append(strength)
        return hand

    def turn(self) -> int | None:
        """Whose turn it is, there and back again from the first player on."""
        if self.phase != "placing":
            return None
        there = [(self.first + n) % self.count for n in range(self.count)]
        there_and_back = there + there[::-1]
        return there_and_back[self.snake % (2 * self.count)]

    def allowed(self) -> set[PlacingEvent]:
        """Everything the one whose turn it is may do; they can do nothing else."""
        seat = self.turn()
        if seat is None:
            return set()
        can: set[PlacingEvent] = set()
        for strength in self.in_hand(seat):
            for number, chamber in enumerate(self.rooms):
                if len(chamber.who) < 2:
                    can.add(AdventurerPlaced(seat, strength, number))
                    continue
                if chamber.closed():
                    continue
                for owner, other in chamber.who:
                    if strength <= other:
                        continue
                    if owner == seat:
                        if self.money[seat] >= 1:
                            can.add(AdventurerReplaced(seat, strength, number, other))
                    elif owner is None:
                        if self.money[seat] >= 1:
                            can.add(AdventurerPushed(seat, strength, number, Piece(None, other)))
                    elif self.money[seat] >= {1: 1, 2: 2, 3: 3}[chamber.level]:
                        can.add(AdventurerPushed(seat, strength, number, Piece(owner, other)))
        return can

    def act(self, event: PlacingEvent) -> None:
        """Do what somebody decided, then go on to the next who has to act."""
        seat, chamber = event.player, self.rooms[event.place]
        if isinstance(event, AdventurerReplaced):
            self.give(seat, -1)
            chamber.who.remove((seat, event.replaced))
        if isinstance(event, AdventurerPushed):
            self.give(seat, -1)
            out = (event.pushed.owner, event.pushed.strength)
            chamber.who.remove(out)
            if out[0] is not None:
                compensation = {1: 0, 2: 1, 3: 2}[chamber.level]
                self.money[seat] -= compensation
                self.money[out[0]] += compensation
        chamber.who.append((seat, event.strength))
        if isinstance(event, AdventurerPushed) and event.pushed.owner is None:
            self.move_ghost(event.place)
        self.pass_on()

    def move_ghost(self, left: int) -> None:
        """Put an evicted ghost into the next room below, or if all are full the next above."""
        below = list(range(left + 1, len(self.rooms)))
        above = list(range(left - 1, -1, -1))
        for number in below + above:
            if len(self.rooms[number].who) < 2:
                self.rooms[number].who.append((None, self.rooms[number].level))
                return
        raise AssertionError("there is always a space somewhere")

    def pass_on(self) -> None:
        """Go to the next who has not two adventurers in the dungeon; all others pass."""
        if all(len(self.placed(seat)) == 2 for seat in range(self.count)):
            self.start_resolving()
            return
        self.snake += 1
        while len(self.placed(self.turn())) == 2:
            self.snake += 1

    # --- resolution --------------------------------------------------------------------------------------

    def start_resolving(self) -> None:
        """Begin at the top; the Boardgame Lord helps the weakest first."""
        self.phase = "resolving"
        if self.master is Master.BOARDGAME_LORD:
            totals = [sum(self.placed(seat)) for seat in range(self.count)]
            for seat in range(self.count):
                if totals[seat] == min(totals):
                    self.give(seat, 3)

    def next_room(self) -> int:
        """The uppermost room nothing is known of."""
        return next(n for n, chamber in enumerate(self.rooms) if chamber.won is None)

    def changed(self, number: int, defence: int, treasure: int) -> tuple[int, int]:
        """What the master makes of a room."""
        last = len(self.rooms) - 1
        strengths = [strength for _, strength in self.rooms[number].who]
        if self.master is Master.BEHOLDER and number == 0:
            treasure += 3
        if self.master is Master.LICH_KING and number == 1:
            defence += 2
            treasure += 3
        if self.master is Master.VAMPIRE_LORD and number in (0, 1):
            treasure -= 2
        if self.master is Master.RED_DRAGON and number == last:
            treasure += 10
        if self.master is Master.HELLO_DUCK and number in (last - 1, last):
            treasure += 4
        if self.master is Master.BIGFUN_KING and number == last:
            defence -= 3
            treasure -= 5
        if self.master is Master.NAUGHTY_KID and len(strengths) == 2 and strengths[0] == strengths[1]:
            treasure += 3
        return max(0, defence), max(0, treasure)

    def reveal(self, defence: int, treasure: int) -> None:
        """Turn over the next room."""
        number = self.next_room()
        chamber = self.rooms[number]
        defence, treasure = self.changed(number, defence, treasure)
        if sum(strength for _, strength in chamber.who) < defence:
            for other in self.rooms[number:]:
                other.won = False
            self.phase = "cleanup"
            return
        chamber.won = True
        self.share(chamber, treasure)
        if number == len(self.rooms) - 1:
            self.phase = "cleanup"

    def share(self, chamber: Chamber, treasure: int) -> None:
        """Split a treasure; a ghost's part stays in the bank."""
        (one, strength), (two, other) = chamber.who
        if one == two:
            if one is not None:
                self.give(one, treasure)
            return
        half, rest = treasure // 2, treasure % 2
        if one is not None:
            self.give(one, half + (rest if strength > other else 0))
        if two is not None:
            self.give(two, half + (rest if other > strength else 0))

    # --- cleanup -----------------------------------------------------------------------------------------

    def end_round(self) -> None:
        """Heal, take adventurers back, hand on the marker."""
        for seat in range(self.count):
            bill = 0
            for chamber in self.rooms:
                for owner, strength in chamber.who:
                    if owner == seat and chamber.won is False:
                        bill += self.healing[strength - 1]
                        if self.master is Master.GUARDIAN and strength in (4, 5):
                            bill += 2
            self.give(seat, -min(bill, self.money[seat]))
            self.last_placed[seat] = set(self.placed(seat))
            self.down[seat] = set(self.placed(seat))
        self.rooms = []
        self.master = None
        if self.round == self.count:
            self.phase = "finished"
            return
        self.round += 1
        self.first = (self.first + 1) % self.count
        self.phase = "dealing"

    def winners(self) -> set[int]:
        """Most money, then the strongest adventurer that stayed out of the last dungeon."""
        sides = self.teams or [[seat] for seat in range(self.count)]

        def worth(side: list[int]) -> tuple[int, int]:
            strongest = max(max({1, 2, 3, 4, 5} - self.last_placed[seat]) for seat in side)
            return sum(self.money[seat] for seat in side), strongest

        best = max(worth(side) for side in sides)
        return {seat for side in sides if worth(side) == best for seat in side}
