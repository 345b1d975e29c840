"""The field as text: at most 80 columns, a legend, a table of figures; readable without colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from textwrap import wrap

from events.places import Point
from projections.dresda.captions import PHASES, spot
from projections.dresda.state import Battlefield, Figure

_MOST_COLUMNS, _MOST_ROWS, _LINE = 72, 34, 80
_TICK = 100  # the ruler is marked every 10 cm, or twice, five times or ten times as far apart
_MARGIN = 4
_TIED = "\xa0"  # keeps the words of one remark on one line
_ASPECT = 2  # a sign is about twice as high as wide
_GROUND = '":~^%&=;,+'
_BARRIER, _FIRE, _THING, _CROWD = "#", "!", "?", "*"
_UPPER, _LOWER, _DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"


def picture(state: Battlefield) -> str:
    """Draw the battle as it stands: where everybody is, and what state everybody is in."""
    marks = _marks(state)
    return "\n".join([_title(state), "", *_map(state, marks), *_legend(state), "", *_roll(state, marks)])


def _title(state: Battlefield) -> str:
    sky = ", ".join(word.replace("_", " ") for word in state.weather) or "clear"
    over = f" — over: {state.table.ended}" if state.table.ended else f" — {PHASES.get(state.phase, '')}"
    return f"turn {state.turn}{over}; {state.light}, {sky}"[:_LINE]


def _marks(state: Battlefield) -> dict[str, str]:
    """One sign for each figure: capitals for the first side, small letters for the second, digits for others."""
    found: dict[str, str] = {}
    for number, seat in enumerate(state.table.seats):
        signs = (_UPPER, _LOWER, _DIGITS)[min(number, 2)]
        own = sorted(name for name, figure in state.figures.items() if figure.who.seat == seat.id)
        found.update((name, signs[at % len(signs)]) for at, name in enumerate(own))
    return found


# ---------------------------------------------------------------------------------------------------- the map


def _map(state: Battlefield, marks: dict[str, str]) -> Iterator[str]:
    if not state.width or not state.depth:
        return
    cell = max(-(-state.width // _MOST_COLUMNS), -(-state.depth // (_MOST_ROWS * _ASPECT)))
    columns, rows = -(-state.width // cell), -(-state.depth // (cell * _ASPECT))
    grid = [["."] * columns for _ in range(rows)]

    def put(place: Point, sign: str) -> None:
        column = min(max(place.x // cell, 0), columns - 1)
        row = min(max(place.y // (cell * _ASPECT), 0), rows - 1)
        taken = grid[row][column]
        grid[row][column] = _CROWD if sign.isalnum() and (taken.isalnum() or taken == _CROWD) else sign

    for row in range(rows):
        for column in range(columns):
            here = Point(column * cell + cell // 2, (row * _ASPECT + _ASPECT // 2) * cell)
            for number, area in enumerate(state.areas):
                if _inside(area.outline, here):
                    grid[row][column] = _GROUND[number % len(_GROUND)]
    for barrier in state.barriers:
        for place in _along(barrier.points, cell):
            put(place, _BARRIER)
    for fire in state.fires:
        put(fire.place, _FIRE)
    for thing in state.things.values():
        if not thing.bearer:
            put(thing.place, _THING)
    for figure in state.standing():
        put(figure.place, marks[figure.id])
    yield from _ruled(["".join(line) for line in grid], cell)


def _ruled(lines: Sequence[str], cell: int) -> Iterator[str]:
    """The map, its lines from south to north, in a frame with a ruler in cm along its west and south edges."""
    tick = next(_TICK * times for times in (1, 2, 5, 10) if _TICK * times >= cell * _MARGIN or times == 10)
    height, columns = cell * _ASPECT, len(lines[0])
    frame = " " * _MARGIN + "+" + "-" * columns + "+"
    yield frame
    for row in reversed(range(len(lines))):
        at = -(-row * height // tick) * tick
        label = f"{at // 10}" if at < (row + 1) * height else ""
        yield f"{label:>{_MARGIN - 1}} |{lines[row]}|"
    yield frame
    ruler = [" "] * (columns + _MARGIN)
    for at in range(0, columns * cell, tick):
        label = f"{at // 10}"
        ruler[at // cell : at // cell + len(label)] = label
    yield (" " * (_MARGIN + 1) + "".join(ruler)).rstrip()


def _inside(outline: Sequence[Point], place: Point) -> bool:
    """Whether a point lies in an area; good enough for a picture."""
    inside = False
    for a, b in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (a.y > place.y) != (b.y > place.y):
            side = (b.x - a.x) * (place.y - a.y) - (b.y - a.y) * (place.x - a.x)
            if (side > 0) == (b.y > a.y):
                inside = not inside
    return inside


def _along(points: Sequence[Point], step: int) -> Iterator[Point]:
    """Points along a line, near enough to each other to leave no gap in the picture."""
    for a, b in pairwise(points):
        count = max(abs(b.x - a.x), abs(b.y - a.y)) * 2 // step + 1
        for at in range(count + 1):
            yield Point(a.x + (b.x - a.x) * at // count, a.y + (b.y - a.y) * at // count)


def _legend(state: Battlefield) -> Iterator[str]:
    """What the signs stand for."""
    names = [f"{_GROUND[number % len(_GROUND)]} {area.id}" for number, area in enumerate(state.areas)]
    names += [f"{_BARRIER} " + ", ".join(barrier.id for barrier in state.barriers)] * bool(state.barriers)
    names += [f"{_FIRE} " + ", ".join(fire.id for fire in state.fires)] * bool(state.fires)
    lying = [thing.name for thing in state.things.values() if not thing.bearer]
    names += [f"{_THING} " + ", ".join(lying)] * bool(lying)
    names.append(f"{_CROWD} more than one figure")
    sides = [
        f"{signs}: {seat.name}"
        for seat, signs in zip(state.table.seats, ("CAPITALS", "small letters", "digits"), strict=False)
    ]
    yield from wrap("   ".join([*sides, *names]), _LINE)


# ---------------------------------------------------------------------------------------------------- the figures


def _roll(state: Battlefield, marks: dict[str, str]) -> Iterator[str]:
    """The table of figures, side by side with its words of state."""
    head = ("", "name", "side", "place", "wounds", "weapon", "")
    rows = [
        (
            " " if figure.gone else marks[name],
            figure.who.name,
            figure.who.seat,
            "-" if figure.gone else spot(figure.place),
            f"{figure.wounds}/{figure.who.health}",
            "-" if figure.gone else figure.arm.name,
            ", ".join(each.replace(" ", _TIED) for each in words(state, figure)),
        )
        for name, figure in sorted(state.figures.items(), key=lambda each: (each[1].who.seat, each[0]))
    ]
    widest = (1, 24, 10, 11, 6, 14)
    widths = [min(max(len(row[at]) for row in [head, *rows]), most) for at, most in enumerate(widest)]
    indent = sum(widths) + len(widths)
    for row in [head, *rows]:
        front = " ".join(text[:width].ljust(width) for text, width in zip(row, widths, strict=False))
        lines = [line.replace(_TIED, " ") for line in wrap(row[-1], max(_LINE - indent, 12))] or [""]
        yield f"{front} {lines[0]}".rstrip()
        yield from (" " * indent + line for line in lines[1:])


def words(state: Battlefield, figure: Figure) -> list[str]:
    """Tell in words all that matters about a figure just now."""
    if figure.gone:
        gone = {"dead": "dead", "routed": "fled the field", "left": "left the field"}[figure.gone]
        return [gone, *(["lost for good"] * figure.lost_for_good)]
    said = [*_who(figure), f"faces {figure.facing}°"]
    if figure.mounted:
        said.append(f"on a {figure.mount.replace('_', ' ')}")
    if figure.mood_at(state.turn):
        said.append(figure.mood_name)
    elif figure.mood:
        said.append(f"{figure.mood_name} next turn")
    said += [word for word, holds in _FLAGS if getattr(figure, holds)]
    if figure.who.shield and (figure.slung or figure.shield_away):
        said.append("shield slung")
    if figure.lost_until >= state.turn:
        said.append("out of it")
    if figure.charge:
        said.append(f"charges {figure.charge}")
    if figure.aim_turn:
        said.append(f"aims at {figure.aim_target}")
    if figure.unloaded:
        said.append(f"{', '.join(figure.unloaded)} unloaded")
    if figure.carrying:
        said.append(f"carries {figure.carrying}")
    if figure.busy:
        said.append(f"busy: {figure.busy.replace('_', ' ')}")
    foes = [foe.id for foe in state.foes_of(figure.id)]
    if foes:
        said.append(f"fights {', '.join(foes)}")
    return said


def _who(figure: Figure) -> list[str]:
    """Who a figure is, what it wears, whom it follows, and its arms besides the one in hand."""
    who = figure.who
    said = [f"{who.status} {who.race}", *([who.armour] * bool(who.armour)), *([who.shield] * bool(who.shield))]
    spare = [arm.name for arm in figure.arms if arm.name != figure.in_hand]
    said += [f"also {', '.join(spare)}"] * bool(spare) + [f"follows {who.leader}"] * bool(who.leader)
    return [each.replace("_", " ") for each in said]


_FLAGS = (("prone", "prone"), ("bears a torch", "torch"))
