"""Games of Dungeon Guilds on test phones: set up, tapped through, looked at."""

from tests.web.phone import Phone

NAMES = ("Ana", "Ben", "Caro", "Dora", "Emil", "Fanny")


def a_game(phone, *names, **options):
    """Set up a game and return its code."""
    chosen = {f"option-{key}": value for key, value in {"masters": "promos", **options}.items()}
    answer = phone.post("/new/guilds", {"player": list(names or NAMES[:3]), "listed": "on", **chosen})
    assert answer.status_code == 303, answer.text
    return answer.location.split("/")[2]


def seated(app, count=3, language=None, **options):
    """Return a game's code and a phone for each seat."""
    phones = [Phone(app, language) if language else Phone(app) for _ in range(count)]
    code = a_game(phones[0], *NAMES[:count], **options)
    for seat, phone in enumerate(phones):
        phone.sit(code, seat)
    return code, phones


def back(level=1, defence=(3, 5), treasure=(2, 4)):
    return {
        "level": level,
        "defence_low": defence[0],
        "defence_high": defence[1],
        "treasure_low": treasure[0],
        "treasure_high": treasure[1],
    }


TOP, MIDDLE, BOTTOM = back(), back(2, (5, 8), (4, 7)), back(3, (7, 10), (6, 9))


def dealt(master=None, rooms=(TOP, MIDDLE, BOTTOM)):
    return {"type": "rooms_dealt", "rooms": list(rooms), "master": master}


def disabled(player, *strengths):
    return {"type": "adventurers_disabled", "player": player, "strengths": list(strengths or (1, 2))}


def placed(player, strength, place):
    return {"type": "adventurer_placed", "player": player, "strength": strength, "place": place}


def pushed(player, strength, place, owner, old):
    out = {"owner": owner, "strength": old}
    return {
        "type": "adventurer_pushed",
        "player": player,
        "strength": strength,
        "place": place,
        "pushed": out,
    }


def replaced(player, strength, place, old):
    return {
        "type": "adventurer_replaced",
        "player": player,
        "strength": strength,
        "place": place,
        "replaced": old,
    }


def revealed(room, defence, treasure, monster=""):
    front = {"defence": defence, "treasure": treasure, "monster": monster}
    return {"type": "room_revealed", "room": room, "front": front}


ENDED = {"type": "round_ended"}
HEALING = {"type": "healing_written", "costs": [1, 2, 2, 3, 3]}


def choose_all(phones, code):
    """Let everybody disable 1 and 2."""
    for seat in range(len(phones[0].journal(code).setup.players)):
        phones[seat % len(phones)].must(code, disabled(seat), seat=seat)


def written(player, amount, **more):
    return {"type": "money_written", "player": player, "amount": amount, **more}


# A round of three in which everything happens: pushing, replacing, a closed room, a failure.
PLACING = (
    placed(0, 3, 1),
    placed(1, 3, 1),
    placed(2, 3, 2),
    pushed(2, 4, 1, 0, 3),
    replaced(1, 4, 1, 3),
    placed(0, 5, 0),
    placed(0, 4, 0),
    placed(1, 5, 2),
)
RESOLVING = (revealed(TOP, 4, 3, "Orc"), revealed(MIDDLE, 8, 5), revealed(BOTTOM, 10, 9, "Dragon"))


def words_of_guilds(app, language, spoken, pages):
    """Play and return all words that two phones and a spectator meet, by address."""
    phone, guest, watcher = (Phone(app, language) for _ in range(3))
    met = {"setup": spoken(phone.get("/new/guilds"))}
    code = a_game(phone, "Ana", "Zoë", "Max")

    def look(stage, *more, table=code):
        for address in (*pages(table), f"/t/{table}/?seat=0", f"/t/{table}/?watch=1", *more):
            for who, visitor in (("host", phone), ("guest", guest), ("watcher", watcher)):
                met[f"{stage}: {who}: {address}"] = spoken(visitor.get(address))

    phone.sit(code, 0, 2)
    guest.sit(code, 1)
    look("dealing", f"/t/{code}/?seat=0&rooms=1.3.5.2.4,1.3.5.2.4,2.5.8.4.7", f"/t/{code}/?seat=0&level=1")
    phone.must(code, dealt("guardian"))
    look("choosing")
    phone.must(code, disabled(0))
    look("one has chosen")
    guest.must(code, disabled(1), seat=1)
    phone.must(code, disabled(2), seat=2)
    for number, event in enumerate(PLACING):
        look(f"placing {number}", f"/t/{code}/?seat=0&for=1&with=5")
        phone.must(code, event)
    for number, event in enumerate(RESOLVING):
        look(f"revealing {number}")
        phone.must(code, event)
    look("cleanup")
    phone.must(code, HEALING, ENDED, written(0, 3, note="found"), written(1, -1, reason="healing"))
    look("second round")
    phone.must(code, dealt("caveman"), {"type": "room_corrected", "place": 1, "room": MIDDLE})
    phone.steer(code, "rewind", to=1, seen=phone.version(code))
    for event in every_refusal():
        met[f"refused {event}"] = spoken(phone.act(code, event))
    for master in ("boardgame-lord", "bigfun-king", "succubus"):
        play_to_the_end(phone, spoken, met, master=master)
    only_money(phone, look, spoken, met)
    met["setup refused"] = spoken(
        phone.post("/new/guilds", {"player": ["A", "B", "C"], "option-teams": "two"})
    )
    return met


def every_refusal():
    """Return events that are refused right after the first dungeon was dealt, each for another reason."""
    yield dealt("beholder")
    yield disabled(0, 1)
    yield placed(0, 5, 0)
    yield RESOLVING[0]
    yield ENDED
    yield {"type": "healing_written", "costs": [1]}
    yield {"type": "room_corrected", "place": 9, "room": TOP}
    yield {"type": "room_corrected", "place": 0, "room": MIDDLE}
    yield {"type": "room_corrected", "place": 0, "room": back(1, (5, 3))}
    yield {"type": "room_corrected", "place": 0, "room": back(1, (3, 5), (9, 3))}
    yield written(0, 0)
    yield written(0, -50)
    yield {"type": "counting_ended"}


def play_to_the_end(phone, spoken, met, master):
    """Play a whole game with the ghost, every round alike, and look at its result."""
    code = a_game(phone, "Ana", "Zoë", "Max", ghost="yes")
    phone.sit(code, 0, 1, 2)
    rooms = (TOP, TOP, MIDDLE, BOTTOM)
    for number in range(3):
        phone.must(code, dealt(master if number == 0 else ("red-dragon", "hello-duck")[number - 1], rooms))
        rules = phone.journal(code).rules
        while (state := phone.journal(code).state).phase != "dealing" and phone.journal(code).outcome is None:
            met[f"{master} {phone.version(code)}"] = spoken(phone.get(f"/t/{code}/?seat=0"))
            seat = next((n for n, choice in enumerate(state.chosen) if choice is None), 0)
            events = [rules.codec.write(event) for event in rules.legal(state, seat)]
            typed = ("healing_written", "money_written", "room_corrected")
            events = [event for event in events if event["type"] not in typed]
            pushing = [event for event in events if event["type"] == "adventurer_pushed"]
            phone.must(code, (pushing or events)[0], seat=seat)
    met[f"{master} result"] = spoken(phone.get(f"/t/{code}/result"))
    met[f"{master} history"] = spoken(phone.get(f"/t/{code}/history/"))


def only_money(phone, look, spoken, met):
    """Keep only the money of a game that ends with a tie."""
    code = a_game(phone, "Ana", "Zoë", "Max", mode="score")
    phone.sit(code, 0)
    phone.must(code, written(0, 5, reason="treasure"), written(1, 5, reason="treasure"))
    phone.must(code, written(2, -9, reason="healing", note="two wounds"))
    look("counting", table=code)
    phone.must(code, {"type": "counting_ended", "unplaced": [5, 4, 0]})
    met["counted"] = spoken(phone.get(f"/t/{code}/result"))
    met["counted history"] = spoken(phone.get(f"/t/{code}/history/"))
