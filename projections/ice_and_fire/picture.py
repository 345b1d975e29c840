"""The field as text: a map of at most 80 columns, then a line for each unit. No colour is needed to read it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from events.places import Point
from projections.ice_and_fire.state import BattleField, Unit, is_with

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
    """Draw the field, north up: capitals for the first seat's units, small letters for the others'.

    Walls are #, gates +, machines @ where no unit's letter covers them, stakes x, heroes on their own *.
    """
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
    for unit in state.units.values():
        if unit.stakes_area:
            corners = unit.stakes_area
            put(Point(sum(each.x for each in corners) // 4, sum(each.y for each in corners) // 4), "x")
    for engine in state.engines.values():
        if not engine.destroyed:
            put(engine.at, "@")
    for hero in state.heroes.values():
        if not hero.unit and not hero.fate:
            put(hero.at, "*")
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
        yield from _lines(state, letters[name], unit)
    yield from _engines(state)
    yield from _works(state)
    for _, hero in sorted(state.heroes.items()):
        if not hero.unit or hero.fate:
            where = hero.fate or f"alone at {_place(state, hero.at)}"
            yield from _folded(f"* {hero.name}: {where}")


def _engines(state: BattleField) -> Iterator[str]:
    """A line for each machine, tower and ram."""
    for _, engine in sorted(state.engines.items()):
        kind = engine.engine.replace("_", " ")
        unit = state.units.get(engine.crew)
        crew = unit.name if unit is not None and is_with(unit, engine) else "nobody"
        how = "destroyed" if engine.destroyed else f"{engine.damage}/{engine.health} damage, with {crew}"
        fire = state.fires.get(engine.id)
        burns = f", burns for {fire.rounds} more" if fire is not None else ""
        yield from _folded(f"@ {engine.name} ({kind}): {how}{burns}")


def _works(state: BattleField) -> Iterator[str]:
    """A line for each gate, and for each wall that can be broken."""
    for _, gate in sorted(state.gates.items()):
        doors = f"{gate.doors} door{'s' * (gate.doors != 1)} to break, {gate.break_tn} left of it"
        yield from _folded(f"+ {gate.name}: {doors if gate.doors else 'open'}")
    for _, wall in sorted(state.walls.items()):
        taker = state.units.get(wall.taken_by)
        taken = f", taken by {taker.name}" if taker is not None else ""
        yield from _folded(f"# {wall.name}: {'broken through' if wall.broken else f'{wall.break_tn} to break'}{taken}")


def _folded(line: str) -> Iterator[str]:
    """A line of at most 80 columns; what does not fit goes on below, a little to the right."""
    yield from textwrap.wrap(line.rstrip(), 80, subsequent_indent=" " * 4, break_on_hyphens=False)


def _lines(state: BattleField, letter: str, unit: Unit) -> Iterator[str]:
    """What a unit is and where; below it, if there is no room beside it, its stances and who is with it."""
    where = unit.left or (f"with {unit.merged}" if unit.merged else "")
    where = where or f"{_place(state, unit.at)} facing {unit.facing:03d}"
    health = f"{unit.damage}/{unit.profile.health}"
    how = _STATES[unit.condition]
    line = f"{letter} {unit.name[:22]:22} {unit.men:3} {unit.rank[:8]:8} {health:>6} {how:7} {where}"
    more = [stance.replace("_", " ") for stance in unit.stances]
    more += ["burning"] * (unit.id in state.fires)
    heroes = " and ".join(hero.name for hero in state.attached(unit.id))
    more += [f"with {heroes}"] if heroes else []
    told = ", ".join(more)
    if len(f"{line}; {told}") <= 80:
        yield f"{line}; {told}" if told else line.rstrip()
        return
    yield line.rstrip()
    yield from textwrap.wrap(told, 80, initial_indent=" " * 6, subsequent_indent=" " * 6, break_on_hyphens=False)


def _place(state: BattleField, at: Point) -> str:
    return f"{at.x // state.mm_each_yard},{at.y // state.mm_each_yard}"


def _holds(corners: tuple[Point, ...], at: Point) -> bool:
    """Whether a point lies in an area, by counting the edges to the east of it."""
    inside = False
    for a, b in zip(corners, (*corners[1:], *corners[:1]), strict=True):
        if (a.y > at.y) != (b.y > at.y):
            side = (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x)
            if (side > 0) == (b.y > a.y):
                inside = not inside
    return inside
