"""A second, slow count of the final score, written from the rules digest with plain dicts and loops.

A table is ``{"objectives": [...], "piles": [...], "dungeons": [...]}``; a dungeon is
``{"rooms": [...], "corridors": [...], "malus": [...], "groups": [...]}``, where a room or corridor
maps kinds of monsters to how many are there.
"""


def slow_lines(table, seat):
    """Return the points of every line of one player's sheet, by the line's name."""
    dungeon = table["dungeons"][seat]
    lines = {}
    for name in table["objectives"]:
        lines[name] = objective(name, table, seat)
    lines["varied-rooms"] = 0
    for room in dungeon["rooms"]:
        different = [kind for kind in room if room[kind] != 0]
        if len(different) >= 4:
            lines["varied-rooms"] += 7
    lines["malus"] = 0
    for tile in dungeon["malus"]:
        lines["malus"] -= tile
    lines["groups"] = 0
    for room_number in (1, 2, 3, 4, 5):
        for _ in range(dungeon["groups"][room_number - 1]):
            lines["groups"] -= room_number
    return lines


def slow_winner(table):
    """Return the seat that wins, or None for a tie."""
    totals = [sum(slow_lines(table, seat).values()) for seat in range(len(table["dungeons"]))]
    winners = [seat for seat in range(len(totals)) if totals[seat] == max(totals)]
    return winners[0] if len(winners) == 1 else None


def objective(name, table, seat):
    """Return what one objective is worth to one player."""
    colour, side = name.split("-", 1)
    return {"spider": spider, "brou": brou, "vampire": vampire, "dragon": dragon}[colour](side, table, seat)


def spider(side, table, seat):
    """Count rooms that a spider shares with the kind the side names."""
    points = 0
    for room in table["dungeons"][seat]["rooms"]:
        if room.get("spider", 0) >= 1 and room.get(side, 0) >= 1:
            points += 4
    return points


def brou(side, table, seat):
    """Count brous."""
    rows = [room.get("brou", 0) for room in table["dungeons"][seat]["rooms"]]
    if side == "singles-and-pairs":
        points = 0
        for row in rows:
            if row == 1:
                points += 2
            if row > 1:
                points += 5
        return points
    if side == "pairs":
        return sum(4 for row in rows if row > 1)
    if side == "spread":
        return {0: 0, 1: 0, 2: 0, 3: 0, 4: 13, 5: 20}[5 - rows.count(0)]
    if side == "crowd":
        if sum(rows) >= 9:
            return 24
        if sum(rows) >= 6:
            return 13
        if sum(rows) >= 3:
            return 5
        return 0
    raise KeyError(side)


def vampire(side, table, seat):
    """Count vampires."""
    in_rooms = []
    for dungeon in table["dungeons"]:
        in_rooms.append(sum(room.get("vampire", 0) for room in dungeon["rooms"]))
    watched = len([c for c in table["dungeons"][seat]["corridors"] if c.get("vampire", 0) > 0])
    if side == "crowd":
        return 15 if in_rooms[seat] > 5 else 0
    if side == "patrol":
        return [0, 2, 6, 12, 20, 30][watched]
    if side == "posts":
        return watched + watched + watched + watched
    if side == "most":
        if in_rooms[seat] == 0:
            return 0
        for other in in_rooms:
            if other > in_rooms[seat]:
                return 0
        return 12
    raise KeyError(side)


def dragon(side, table, seat):
    """Count dragons that lie on a gold pile of their own."""
    lying, full_rooms, halves = 0, 0, 0
    for room, piles in zip(table["dungeons"][seat]["rooms"], table["piles"], strict=True):
        free, here = piles, 0
        for _ in range(room.get("dragon", 0)):
            if free > 0:
                free -= 1
                here += 1
        lying += here
        if piles > 0 and free == 0:
            full_rooms += 1
        halves += [0, 2, 8][here]
    if side == "each":
        return lying * 3
    if side == "hoards-or-else":
        return [-12, -5, 0, 7, 15, 15][full_rooms]
    if side == "hoards":
        return [0, 1, 6, 15, 24, 24][full_rooms]
    if side == "halves":
        return halves
    raise KeyError(side)
