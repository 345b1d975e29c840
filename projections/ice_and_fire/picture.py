"""The field as text: a map of at most 80 columns, then a line for each unit. No colour is needed to read it."""

from __future__ import annotations

from collections.abc import Iterator

from events.places import Point
from projections.ice_and_fire.state import BattleField, Unit

COLUMNS = 78
ROWS = 30
_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_GROUNDS = {
    "forest": "^",
    "mud": "~",
    "slope": "/",
    "steep_slope": "/",
    "ditch": "-",
    "trench": "=",
    "barrier": "%",
    "narrow_passage": ":",
}
_STATES = {
    "organized": "",
    "disorganized": "disorg.",
    "routed": "ROUTED",
    "destroyed": "DESTR.",
    "annihilated": "ANNIH.",
}


def picture(state: BattleField) -> str:
    """Draw the field, north up: capitals for the first seat's units, small letters for the others', walls as #."""
    lines = [*_map(state), *_key(state)]
    return "\n".join(line.rstrip() for line in lines)


def _letters(state: BattleField) -> dict[str, str]:
    """A letter for each unit on the field, the first seat's in capitals."""
    found: dict[str, str] = {}
    first = state.table.seats[0].id if state.table.seats else ""
    for own in (True, False):
        names = [unit.id for _, unit in sorted(state.units.items()) if (unit.seat == first) == own]
        for number, name in enumerate(names):
            letter = _UPPER[number % 26]
            found[name] = letter if own else letter.lower()
    return found


def _map(state: BattleField) -> Iterator[str]:
    if not state.width or not state.height:
        return
    cell = max(-(-state.width // COLUMNS), -(-state.height // (2 * ROWS)), 1)
    columns, rows = -(-state.width // cell), -(-state.height // (2 * cell))
    grid = [[" "] * columns for _ in range(rows)]

    def put(at: Point, sign: str) -> None:
        column, row = at.x // cell, rows - 1 - at.y // (2 * cell)
        if 0 <= column < columns and 0 <= row < rows:
            grid[row][column] = sign

    for row in range(rows):
        for column in range(columns):
            at = Point(column * cell + cell // 2, (rows - 1 - row) * 2 * cell + cell)
            for ground in state.grounds.values():
                if _holds(ground.corners, at):
                    grid[row][column] = _GROUNDS.get(ground.terrain, "?")
    lines = [(wall.start, wall.end, "#") for wall in state.walls.values()]
    lines += [(gate.start, gate.end, "+") for gate in state.gates.values()]
    for start, end, sign in lines:
        steps = max(abs(end.x - start.x), abs(end.y - start.y)) // cell + 1
        for step in range(steps + 1):
            x = start.x + (end.x - start.x) * step // steps
            y = start.y + (end.y - start.y) * step // steps
            put(Point(x, y), sign)
    letters = _letters(state)
    for name, unit in sorted(state.units.items()):
        if unit.on_field:
            put(unit.at, letters[name])
    yield "+" + "-" * columns + "+"
    for cells in grid:
        yield "|" + "".join(cells) + "|"
    yield "+" + "-" * columns + "+"


def _key(state: BattleField) -> Iterator[str]:
    letters = _letters(state)
    yield "; ".join(each for each in (f"turn {state.table.turn}", state.sky, state.table.ended) if each)
    for name, unit in sorted(state.units.items(), key=lambda item: (item[1].seat, item[0])):
        yield _line(state, letters[name], unit)[:80]


def _line(state: BattleField, letter: str, unit: Unit) -> str:
    where = unit.left or (f"with {unit.merged}" if unit.merged else f"{_yards(state, unit)} facing {unit.facing:03d}")
    heroes = "".join(f" +{hero.name}" for hero in state.attached(unit.id))
    health = f"{unit.damage}/{unit.profile.health}"
    how = _STATES[unit.condition]
    stances = " ".join(unit.stances)
    return f"{letter} {unit.name[:22]:22} {unit.men:3} {unit.rank[:8]:8} {health:>6} {how:7} {where} {stances}{heroes}"


def _yards(state: BattleField, unit: Unit) -> str:
    return f"{unit.at.x // state.mm_each_yard},{unit.at.y // state.mm_each_yard}"


def _holds(corners: tuple[Point, ...], at: Point) -> bool:
    """Whether a point lies in an area, by counting the edges to the east of it."""
    inside = False
    for a, b in zip(corners, (*corners[1:], *corners[:1]), strict=True):
        if (a.y > at.y) != (b.y > at.y):
            side = (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x)
            if (side > 0) == (b.y > a.y):
                inside = not inside
    return inside
