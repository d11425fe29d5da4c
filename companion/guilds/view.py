"""What one phone may see of a game of Dungeon Guilds. Anything not listed here stays on the server."""

from __future__ import annotations

from dataclasses import dataclass

from companion.guilds.cards import Master
from companion.guilds.placing import upcoming
from companion.guilds.resolving import bills, defence_of, next_place, treasure_of
from companion.guilds.rules import masters_left
from companion.guilds.scoring import money_of_team
from companion.guilds.state import GameState, Phase, Place


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player as everybody sees them.

    Attributes:
        chosen: whether they have chosen what to disable; not what.
        team_money: what their team has; the own money without teams.
        bill: what healing costs them after this dungeon.
    """

    seat: int
    name: str
    money: int
    team: int
    team_money: int
    available: tuple[int, ...]
    placed: tuple[int, ...]
    disabled: tuple[int, ...]
    chosen: bool
    bill: int


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A room as everybody sees it.

    Attributes:
        defence, treasure: the range as the master changes it; both ends are the same once it is revealed.
        open: whether somebody could be pushed out.
    """

    number: int
    place: Place
    defence: tuple[int, int]
    treasure: tuple[int, int]
    open: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """The table as *seat* sees it; ``seat`` is None for somebody who only watches.

    Attributes:
        mine: what this seat chose to disable, before it is revealed.
        upcoming: who acts after that, if nobody is pushed out.
        revealing: the room that is turned over next.
    """

    seat: int | None
    phase: Phase
    round: int
    rounds: int
    turn: int | None
    first: int
    players: tuple[PlayerView, ...]
    has_teams: bool
    ghost: bool
    with_masters: bool
    master: Master | None
    masters_left: tuple[Master, ...]
    rooms_to_deal: int
    places: tuple[PlaceView, ...]
    healing: tuple[int, ...]
    healing_checked: bool
    mine: tuple[int, ...] | None
    upcoming: tuple[PlayerView, ...]
    revealing: int | None

    @property
    def active(self) -> PlayerView | None:
        """Whose turn it is, if it is somebody's."""
        return None if self.turn is None else self.players[self.turn]


def view_for(state: GameState, seat: int | None) -> TableView:
    """List what the phone of *seat* may see."""
    players = tuple(_player(state, number) for number in range(len(state.players)))
    return TableView(
        seat=seat,
        phase=state.phase,
        round=state.round,
        rounds=len(state.players),
        turn=state.turn,
        first=state.first,
        players=players,
        has_teams=len(set(state.teams)) < len(state.players),
        ghost=state.ghost,
        with_masters=state.with_masters,
        master=state.master,
        masters_left=masters_left(state),
        rooms_to_deal=state.rooms_to_deal,
        places=tuple(_place(state, number) for number in range(len(state.places))),
        healing=state.healing,
        healing_checked=state.healing_checked,
        mine=state.chosen[seat] if seat is not None and state.phase is Phase.DISABLING else None,
        upcoming=tuple(players[number] for number in upcoming(state)),
        revealing=next_place(state) if state.phase is Phase.RESOLVING else None,
    )


def _player(state: GameState, seat: int) -> PlayerView:
    return PlayerView(
        seat=seat,
        name=state.players[seat],
        money=state.books.of(seat),
        team=state.teams[seat],
        team_money=money_of_team(state, state.teams[seat]),
        available=state.available(seat) if state.phase not in (Phase.DISABLING, Phase.COUNTING) else (),
        placed=state.placed(seat),
        disabled=state.disabled[seat],
        chosen=state.chosen[seat] is not None,
        bill=bills(state)[seat] if state.phase is Phase.CLEANUP else 0,
    )


def _place(state: GameState, number: int) -> PlaceView:
    place = state.places[number]
    room, front = place.room, place.front
    equal = place.is_full and place.pieces[0].strength == place.pieces[1].strength
    defence = (front.defence,) * 2 if front else (room.defence_low, room.defence_high)
    treasure = (front.treasure,) * 2 if front else (room.treasure_low, room.treasure_high)
    return PlaceView(
        number=number,
        place=place,
        defence=(defence_of(state, number, defence[0]), defence_of(state, number, defence[1])),
        treasure=(
            treasure_of(state, number, treasure[0], equal=equal),
            treasure_of(state, number, treasure[1], equal=equal),
        ),
        open=place.is_full and not place.is_closed,
    )
