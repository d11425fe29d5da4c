"""Games of Welcome (Back) to the Dungeon on test phones: set up, tapped through, looked at."""

from tests.web.phone import Phone

OPTIONS = {"hero": "barbarian", "boxes": "both", "special_1": "mimic", "special_2": "gelatinous-cube"}


def a_game(phone, *names, game="welcome-back", **options):
    """Set up a game and return its code."""
    chosen = {f"option-{key}": value for key, value in {**OPTIONS, **options}.items()}
    answer = phone.post(f"/new/{game}", {"player": list(names or ("Ana", "Ben")), "listed": "on", **chosen})
    assert answer.status_code == 303, answer.text
    return answer.location.split("/")[2]


def seated(app, count=3, language=None, **options):
    """Return a game's code and a phone for each seat."""
    phones = [Phone(app, language) if language else Phone(app) for _ in range(count)]
    code = a_game(phones[0], *("Ana", "Ben", "Caro", "Dora")[:count], **options)
    for seat, phone in enumerate(phones):
        phone.sit(code, seat)
    return code, phones


def added(player, card=None):
    return {"type": "monster_added", "player": player, **({"card": card} if card else {})}


def aside(player, tile, card=None):
    return {"type": "monster_set_aside", "player": player, "tile": tile, **({"card": card} if card else {})}


def passed(player):
    return {"type": "player_passed", "player": player}


def turned(card):
    return {"type": "monster_turned", "card": card}


def skipped(player, tiles, cards):
    return {"type": "bidding_skipped", "player": player, "tiles": tiles, "cards": cards}


def chosen(hero):
    return {"type": "adventurer_chosen", "hero": hero}


ENDED = {"type": "delve_ended"}
CRYPT = {"id": "sixth-tile", "en": "Crypt", "fr": "Crypte", "hp": 1}

# One round for every adventurer: tiles, cards and choices that bring all their words to the pages.
ROUNDS = (
    ("barbarian", ["vorpal-axe", "healing-potion", "torch"], [], ["goblin", "lich", "demon"]),
    ("warrior", ["vorpal-sword", "plate-armor"], [("vorpal-sword", "golem")], ["golem", "vampire"]),
    ("mage", ["polymorph", "demonic-pact", "omnipotence"], [], ["demon", "dragon", "orc", "vampire"]),
    ("rogue", ["ring-of-power", "buckler", "mithril-armor"], [], ["skeleton", "gelatinous-cube"]),
    ("princess", ["couronne-familiale", "l-epee-a-papa"], [("l-epee-a-papa", "lich")], ["vampire"]),
    ("ninja", ["bombe-fumigene", "herbes-medicinales"], [], ["orc", "golem"]),
    ("bard", ["charmeuse-de-gobelins", "harpe-elfique", "tunic"], [], ["goblin", "mimic"]),
    ("necromancer", ["osselets-de-resurrection", "zombie"], [], ["golem", "golem"]),
)


def words_of_welcome(app, language, spoken, pages):
    """Play and return all words that two phones and a spectator meet, by address."""
    phone, guest, watcher = (Phone(app, language) for _ in range(3))
    met = {}
    met["setup"] = spoken(phone.get("/new/welcome"))
    met["setup back"] = spoken(phone.get("/new/welcome-back"))
    code = a_game(phone, "Ana", "Zoë", opening="add", special_1="count")

    def look(stage, *more):
        for address in (
            *pages(code),
            f"/t/{code}/?seat=0",
            f"/t/{code}/?seat=1",
            f"/t/{code}/?watch=1",
            *more,
        ):
            for who, visitor in (("host", phone), ("guest", guest), ("watcher", watcher)):
                met[f"{stage}: {who}: {address}"] = spoken(visitor.get(address))

    phone.sit(code, 0)
    guest.sit(code, 1)
    look("first turn", f"/t/{code}/?seat=0&drew=dragon&in=1-0", f"/t/{code}/tiles/sixth-tile?printed=1")
    phone.must(code, added(0, "dragon"))
    guest.must(code, added(1, "orc"), seat=1)
    phone.must(
        code, aside(0, "torch", "goblin"), {"type": "cards_noted", "player": 0, "dungeon": ["lich"] * 1}
    )
    look("bidding", f"/t/{code}/tiles/torch")
    phone.must(
        code, {"type": "tile_written", "tile": {"id": "sixth-tile", "en": "Crypt", "fr": "Crypte", "hp": 1}}
    )
    phone.must(code, passed(1))
    look("inside")
    phone.steer(code, "rewind", to=0, seen=phone.version(code))
    for round_, (hero, tiles, names, cards) in enumerate(ROUNDS):
        other = a_game(phone, "Ana", "Zoë", hero=hero)
        phone.sit(other, 0)
        phone.must(other, skipped(0, tiles, len(cards)))
        for tile, kind in names:
            met[f"naming {round_}"] = spoken(phone.get(f"/t/{other}/?seat=0"))
            phone.must(other, {"type": "kind_named", "tile": tile, "kind": kind})
        for card in cards:
            if phone.journal(other).state.delve.fallen and "omnipotence" not in tiles:
                break
            phone.must(other, turned(card))
            met[f"turned {round_} {card}"] = spoken(phone.get(f"/t/{other}/?seat=0"))
            delve = phone.journal(other).state.delve
            if delve.facing is not None:
                options = phone.journal(other).rules.legal(phone.journal(other).state, 0)
                choice = next(event for event in options if type(event).__name__ != "CardsNoted")
                phone.must(other, phone.journal(other).rules.codec.write(choice))
        met[f"end {round_}"] = spoken(phone.get(f"/t/{other}/?seat=0"))
        phone.must(other, ENDED)
        met[f"history {round_}"] = spoken(phone.get(f"/t/{other}/history/"))
        met[f"after {round_}"] = spoken(phone.get(f"/t/{other}/?seat=0"))
    end_of_a_game(phone, spoken, met)
    return met


def end_of_a_game(phone, spoken, met):
    """Play two games to their ends, by success and by elimination."""
    for way, cards in (("won", []), ("lost", ["dragon"])):
        code = a_game(phone, "Ana", "Zoë")
        phone.sit(code, 0)
        phone.must(code, skipped(0, [], len(cards)), *(turned(card) for card in cards), ENDED)
        phone.must(
            code, chosen("rogue"), skipped(0, [], len(cards)), *(turned(card) for card in cards), ENDED
        )
        met[way] = spoken(phone.get(f"/t/{code}/result"))
        met[f"{way} picture"] = spoken(phone.get(f"/t/{code}/result.svg"))
