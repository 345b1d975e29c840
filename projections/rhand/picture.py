"""The fight as text: the hexes round those who still stand, then a line for everybody. At most 80 columns."""

from __future__ import annotations

from events.places import digits_of, rows_down
from projections.rhand.captions import STEPS, words
from projections.rhand.state import Fighter, Rhand

WIDTH = 80
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ARROWS = "↑↗↘↓↙↖"
_CELL = 3


def picture(state: Rhand) -> str:
    """Draw a state. Odd columns stand half a hex north of even ones, so every hex has a line of its own."""
    everybody = [state.fighters[name] for name in sorted(state.fighters)]
    marks = {each.id: letter for each, letter in zip(everybody, _LETTERS, strict=False)}
    head = f"phase {state.phase}, {STEPS[state.step]}"
    lines = [head, *_map([each for each in everybody if not each.down], marks), ""]
    for seat in state.table.seats:
        lines.append(f"{seat.name} ({seat.id})")
        lines += [_line(each, marks.get(each.id, "*")) for each in everybody if each.seat == seat.id]
    return "\n".join(line.rstrip() for line in lines)


def _map(standing: list[Fighter], marks: dict[str, str]) -> list[str]:
    """Draw the part of the field that matters; nothing when it is wider than a screen."""
    if not standing:
        return []
    places = {(each.at.q, each.at.r + rows_down(each.at.q)): each for each in standing if not each.is_horse}
    columns = [column for column, _ in places]
    rows = [row for _, row in places]
    left, right, top, bottom = min(columns) - 1, max(columns) + 1, min(rows) - 1, max(rows) + 1
    if (right - left + 1) * _CELL > WIDTH - 5 or bottom - top > 30:
        return []
    head = "     " + "".join(f"{column:02} " if 0 <= column <= 99 else "   " for column in range(left, right + 1))
    lines = ["", head]
    for row in range(top, bottom + 1):
        for odd in (1, 0):
            cells = [
                _cell(places.get((column, row)), marks) if column % 2 == odd else "   "
                for column in range(left, right + 1)
            ]
            label = f"{row:02}" if odd and 0 <= row <= 99 else "  "
            lines.append(f"  {label} {''.join(cells)}")
    return lines


def _cell(fighter: Fighter | None, marks: dict[str, str]) -> str:
    return " . " if fighter is None else f"{marks.get(fighter.id, '*')}{_ARROWS[fighter.facing]} "


def _line(fighter: Fighter, mark: str) -> str:
    arms = [words(each) for each in (fighter.in_hand, fighter.shield_in_use, fighter.missile) if each]
    state = ", ".join(f"{words(limb)} disabled" for limb in fighter.disabled)
    if fighter.out:
        state = "died" if fighter.died else "down" if fighter.down else "has given up"
    told = f" {mark} {fighter.name:<16.16} {digits_of(fighter.at)} {fighter.armor_class} {fighter.total:>5} PD"
    rest = "; ".join(part for part in (" + ".join(arms) or "unarmed", state) if part)
    return f"{told}  {rest}"[:WIDTH]
