"""A journey through every page of Dungeon Drop, with a scanner that sees what the journey needs."""

from __future__ import annotations

import io
import time

import cv2
import numpy as np

from companion.dungeon_drop.game.events import CODEC
from tests.web.phone import Phone
from tests.web.scans import RoomScanner, a_scan, a_seen_cube, one_room
from vision.seen import Advice, Source, Warning
from web.dungeon_drop.looks import Looks

KINDS = ("key", "chest", "gem_clear", "gem_blue", "gem_pink", "potion", "shield", "relic", "troll", "dragon")
SIZES = {"chest": "large", "shield": "large", "troll": "large", "dragon": "huge"}
GOLD = {"kind": "gold", "count": 1, "size": "small"}
HERO = {
    "initiative": 5,
    "hit_points": 9,
    "race": "Elf",
    "race_note": "flicks",
    "calling": "",
    "calling_note": "",
}
QUEST = {
    "gems": {"clear": 1, "blue": 2, "pink": 3},
    "bonus": [
        {"points": 1, "when": "each", "what": "typed"},
        {"points": 2, "when": "most", "what": "cubes", "kinds": ["gold"]},
    ],
}


class Eye(RoomScanner):
    """Sees a room with one of everything, a doubtful cube, and a pillar that may forbid it."""

    def scan(self, frame, *, focal_px=None, profile=None, solo=True):
        if frame.shape[0] == 100:
            return a_scan(size_px=(100, 100), source=Source.NONE, warnings=(Warning(Advice.NO_CUBES),))
        more = [
            a_seen_cube(10 + n, kind, -30 + 6 * n, -30, size=SIZES.get(kind, "small"))
            for n, kind in enumerate(KINDS)
        ]
        cubes = (*one_room(), a_seen_cube(6, "gold", 0, -47.8), a_seen_cube(7, "pillar", 90, 40), *more)
        warnings = (Warning(Advice.MARKER_HIDDEN, marker=2), Warning(Advice.NO_MARKERS))
        return a_scan(*cubes, size_px=(frame.shape[1], frame.shape[0]), warnings=warnings)


def a_photo(size=(640, 480)):
    """Return a photo as a phone sends it."""
    return cv2.imencode(".png", np.full((size[1], size[0], 3), 90, np.uint8))[1].tobytes()


def with_eye(app, folder):
    """Let the app see with the eye above."""
    app.extensions["looks"] = Looks(folder, Eye, app.extensions["hub"].publish)
    return app


def send(phone, code, data, seat=0):
    """Send a photo and wait until it was read."""
    sent = {"seat": str(seat), "photo": (io.BytesIO(data), "table.png")}
    answer = phone.post(f"/t/{code}/photo", sent, live=True)
    end = time.monotonic() + 5
    while phone.app.extensions["looks"].current(code).status in ("waiting", "reading"):
        assert time.monotonic() < end
        time.sleep(0.005)
    return answer


class Journey:
    """Plays a game on two phones and collects what both and a spectator get to see."""

    def __init__(self, app, language, spoken):
        self.phone, self.guest, self.watcher = (Phone(app, language) for _ in range(3))
        self.spoken = spoken
        self.met = {}
        self.types = set()
        fields = {"player": ["Ana", "Zoë"], "listed": "on", "option-teamwork": "yes", "option-solo": "yes"}
        self.code = self.phone.post("/new/dungeon-drop", fields).location.split("/")[2]
        self.phone.sit(self.code, 0)
        self.guest.sit(self.code, 1)

    def look(self, stage, *queries):
        """Read the table on every phone."""
        for query in (
            "?seat=0",
            "?seat=1",
            "?watch=1",
            "tv",
            "history/",
            "result",
            "camera?seat=0",
            "colours?seat=0",
            *queries,
        ):
            for name, reader in (("host", self.phone), ("guest", self.guest), ("watcher", self.watcher)):
                answer = reader.get(f"/t/{self.code}/{query}")
                self.met[f"drop, {stage}: {name}: {query}"] = self.spoken(answer)

    def do(self, seat, type, **fields):
        """Record an event that has to be accepted."""
        event = {"type": type, **fields}
        if type not in ("game_begun", "cubes_fell", "scoring_opened"):
            event["player"] = seat
        answer = (self.phone, self.guest)[seat].act(self.code, event, seat=seat)
        assert answer.status_code == 200, (event, answer.text)
        self.types.add(type)

    def refused(self, what, seat=0, **event):
        """Try an event that the rules forbid."""
        answer = (self.phone, self.guest)[seat].act(self.code, event, seat=seat)
        assert answer.status_code >= 400, event
        self.met[f"drop, {what}"] = self.spoken(answer)

    def posted(self, what, path, **fields):
        """Send a form of the photo pages."""
        fields = {
            "seat": "0",
            "look": "1",
            "seen": str(self.phone.version(self.code)),
            "tap": f"tap-{what}",
            **fields,
        }
        self.met[f"drop, {what}"] = self.spoken(self.phone.post(f"/t/{self.code}/{path}", fields, live=True))

    def travel(self):
        """Play everything there is; return all words by where they were met."""
        self._gather()
        self._play()
        self._score()
        assert self.types == set(CODEC.kinds)
        return self.met

    def _gather(self):
        self.refused("begin without heroes", type="game_begun")
        self.look("gathering")
        self.do(0, "hero_chosen", card=HERO)
        self.do(1, "hero_chosen", card={**HERO, "initiative": 8, "race": ""})
        for seat in (0, 1):
            self.do(seat, "quest_written", quest=QUEST)
        self.refused("a weak hero", type="hero_chosen", player=0, card={**HERO, "hit_points": 1})
        self.refused("a fast hero", type="hero_chosen", player=0, card={**HERO, "initiative": 100})
        self.refused("a long name", type="hero_chosen", player=0, card={**HERO, "race": "x" * 99})
        self.refused("a strange name", type="hero_chosen", player=0, card={**HERO, "race": "\x07"})
        gems = {"clear": 99, "blue": 1, "pink": 1}
        self.refused("a rich gem", type="quest_written", player=0, quest={"gems": gems})
        self.look("ready")
        self.do(0, "game_begun")
        self.refused("begin twice", type="game_begun")

    def _play(self):
        self.look("explore")
        self.refused("loot first", type="room_looted", player=0, loot=[])
        self.do(0, "cubes_fell", count=2)
        self.look("cubes on the floor")
        self.do(0, "cubes_dropped")
        self.refused("drop twice", type="cubes_dropped", player=0)
        self._photos()
        self._abilities()
        held = [
            {"kind": kind, "count": 1, "size": SIZES.get(kind, "small")} for kind in KINDS if kind != "dragon"
        ]
        self.refused(
            "dragon", type="room_looted", player=0, loot=[{"kind": "dragon", "count": 1, "size": "huge"}]
        )
        self.refused(
            "goblins", type="room_looted", player=0, loot=[{"kind": "goblin", "count": 9, "size": "small"}]
        )
        self.refused("no shield", type="room_looted", player=0, loot=[], shields=2)
        self.refused("no monster", type="room_looted", player=0, loot=[], shields=1)
        self.refused("own pawn", type="room_looted", player=0, loot=[], pawns=[0])
        self.refused(
            "pillars", type="room_looted", player=0, loot=[{"kind": "pillar", "count": 1, "size": "small"}]
        )
        self.do(0, "room_looted", loot=held, shields=1, pawns=[1])
        self.refused("not the turn", type="loot_skipped", player=0)
        self.look("looted")
        self.do(1, "cubes_dropped")
        self.do(1, "loot_spoilt")
        self.look("second round")
        for seat in (1, 0, 1):
            self.do(seat, "cubes_dropped")
            self.do(seat, "loot_skipped")
        self.do(0, "scoring_opened")

    def _photos(self):
        code = self.code
        self.posted("no photo", "photo")
        self.posted("no camera", "snap")
        self.posted("nothing to follow", "watch", follow="yes")
        self.posted("no picture", "frame")
        self.posted("no pieces", "colours")
        self.posted("no lesson", "colours/keep", keep="yes")
        self.met["drop, sent"] = self.spoken(send(self.phone, code, b"no picture"))
        self.look("refused")
        send(self.phone, code, a_photo((100, 100)))
        self.look("nothing seen")
        send(self.phone, code, a_photo())
        self.look(
            "photo", "?seat=0&cube=3", "?seat=0&x=20&y=20", "?seat=0&room=0-1-2", "?seat=0&doubt=6&room=0-1-2"
        )
        self.posted("old photo", "fix", cube="3", piece="gold-small")
        self.posted("no such cube", "fix", look="3", cube="3", piece="unicorn")
        self.posted("no such room", "loot", look="3", room="0-1")
        self.posted("no room", "loot", look="3", room="0-1-5")
        self.posted("in", "call", look="3", room="0-1-2", cube="6", inside="yes")
        self.look("decided")

    def _abilities(self):
        self.do(0, "hurt", count=4)
        self.do(0, "healed", count=1)
        self.refused("heal too much", type="healed", player=0, count=9)
        self.refused("hurt too much", type="hurt", player=0, count=9)
        self.refused("hurt by none", type="hurt", player=0, count=0)
        self.refused(
            "a small troll",
            type="cubes_gained",
            player=0,
            held={"kind": "troll", "count": 1, "size": "small"},
        )
        self.refused("too many cubes", type="cubes_gained", player=0, held={**GOLD, "count": 99})
        for kind in ("gold", "potion"):
            self.do(0, "cubes_gained", held={"kind": kind, "count": 1, "size": "small"})
        self.do(0, "cubes_gained", held={"kind": "shield", "count": 1, "size": "large"})
        self.look("a reserve")
        self.do(0, "cubes_returned", held=GOLD)
        self.refused("nothing to return", type="cubes_returned", player=0, held=GOLD)
        self.do(0, "potion_drunk")
        self.refused("too many fell", type="cubes_fell", count=94)
        self.do(0, "ability_used", which="race")
        self.refused("two abilities", type="ability_used", player=0, which="class")
        self.look("the ability")

    def _score(self):
        self.look("scoring")
        self.refused("played on", type="cubes_fell", count=1)
        self.refused("no dice", type="sheet_signed", player=0)
        self.refused("wrong dice", type="chests_rolled", player=0, dice=[7])
        self.do(0, "chests_rolled", dice=[4])
        self.do(0, "number_typed", number=3)
        self.do(0, "damage_counted", count=2)
        self.refused("dead", type="damage_counted", player=0, count=9)
        self.refused("too many points", type="pawn_points_counted", player=0, count=1000)
        self.do(0, "pawn_points_counted", count=2)
        self.do(1, "reserve_counted", held=[GOLD])
        self.do(0, "sheet_signed")
        self.look("signed")
        self.refused("complete", type="number_typed", player=0, number=1)
        self.do(0, "sheet_reopened")
        self.do(0, "sheet_signed")
        self.do(1, "sheet_signed")
        self.look("the end")
