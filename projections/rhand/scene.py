"""How a Rhand fight looks: the hexes, and every fighter in their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from events.places import digits_of
from projections.hex_map import HexMap
from projections.rhand.captions import STEPS, words
from projections.rhand.state import Fighter, Rhand
from projections.scene import NOBODY, Mark, Scene, side_of, sides_of

_MAN: Final = (900, 900)
_HORSE: Final = (700, 1400)


def scene(state: Rhand) -> Scene:
    """Draw the fight as it stands."""
    table, field = state.table, HexMap(state.columns, state.rows)
    when = f"over: {table.ended}" if table.ended else f"phase {state.phase}, {STEPS[state.step]}"
    return Scene(
        *field.size(),
        title=f"{table.title} — {when}" if table.title else when,
        sides=sides_of(state),
        areas=field.areas(dict.fromkeys(state.closed, "closed")),
        marks=tuple(_marks(state, field)),
        unit_name="",
    )


def _marks(state: Rhand, field: HexMap) -> Iterator[Mark]:
    ridden = {each.rides for each in state.fighters.values()}
    for name, fighter in sorted(state.fighters.items()):
        if not (fighter.is_horse and name in ridden):
            side = side_of(state, fighter.seat) if fighter.seat else NOBODY
            size = _HORSE if fighter.is_horse or fighter.rides else _MAN
            at = field.middle(fighter.at)
            yield Mark(
                name,
                fighter.name,
                side,
                at,
                fighter.facing * 60,
                *size,
                "down" if fighter.out else "up",
                _note(fighter),
            )


def _note(fighter: Fighter) -> str:
    arms = [words(each) for each in (fighter.in_hand, fighter.shield_in_use, fighter.missile) if each]
    hurt = [words(each) + " disabled" for each in fighter.disabled]
    parts = [f"hex {digits_of(fighter.at)}", f"damage {fighter.total}", " + ".join(arms) or "unarmed", *hurt]
    parts += (
        ["died"] * fighter.died
        + ["has given up"] * fighter.yielded
        + ["on their knees"] * (fighter.on_knees and not fighter.out)
    )
    parts += [words(fighter.covered_by)] * bool(fighter.covered_by)
    if fighter.preparing:
        parts.append(f"prepares {words(fighter.preparing)}")
    return "; ".join(parts)
