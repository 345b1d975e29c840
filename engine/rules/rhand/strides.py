"""What a move costs and where it leads: steps at Combat Speed, straight runs (SPX-08 to SPX-10). Pure reckoning.

All is counted in hexes of two feet and phases of two seconds (SPX-01).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from msgspec import Struct

from engine.field.hexes import neighbour
from engine.rules.rhand.orders import Run, Walk
from engine.rules.rhand.positions import whole_speed
from engine.rules.rhand.tables import Tables
from engine.rules.rule_set import Objection
from events.places import Hex
from projections.rhand.state import Fighter, Rhand

SIDE: Final = {"forward": 0, "right": 1, "back": 3, "left": 5}
"""By how many hex sides, clockwise from the facing, a stride leads (SPX-09)."""
TURN: Final = {"turn_left": -1, "turn_right": 1}


class Spot(Struct, frozen=True, gc=False):
    """Where somebody stands and where he looks."""

    at: Hex
    facing: int

    def after(self, stride: str) -> Spot:
        """The spot after one stride or one turn by a hex side."""
        if stride in TURN:
            return Spot(self.at, (self.facing + TURN[stride]) % 6)
        return Spot(neighbour(self.at, self.facing + SIDE[stride]), self.facing)


def points(strides: Sequence[str]) -> int:
    """What strides cost at Combat Speed: one a hex, one a hex side turned, one for each change of direction (SPX-09).

    >>> points(["forward"] * 3), points(["forward", "turn_left", "forward"]), points(["forward", "back"])
    (3, 3, 3)
    """
    spent, direction = 0, ""
    for stride in strides:
        spent += 1
        if stride in SIDE:
            spent += direction not in ("", stride)
            direction = stride
    return spent


def strides_of(order: Walk | Run) -> tuple[str, ...]:
    """The single strides of an order."""
    return order.steps if isinstance(order, Walk) else (order.going,) * order.hexes


def pace(order: Walk | Run, done: Sequence[str], fighter: Fighter) -> Fraction:
    """How many times Combat Speed the strides done were; turning on the spot is no movement (SPX-07)."""
    if not any(stride in SIDE for stride in done):
        return Fraction(0)
    spent = points(done) if isinstance(order, Walk) else len(done)
    return Fraction(spent, max(1, whole_speed(fighter)))


def objections(state: Rhand, tables: Tables, order: Walk | Run) -> Iterator[Objection]:
    """Why a fighter cannot move so (SPX-08 to SPX-10)."""
    fighter = state.fighters[order.piece]
    if fighter.is_horse:
        yield Objection(f"{fighter.name} goes where its rider goes", "SPX-16")
    elif fighter.rides and fighter.happened.get("mount_out_of_control") == state.phase:
        yield Objection(f"{fighter.name} does not master his horse", "SPX-16")
    elif isinstance(order, Walk):
        yield from _walk(fighter, tables, order)
    else:
        yield from _run(fighter, tables, order)


def _walk(fighter: Fighter, tables: Tables, order: Walk) -> Iterator[Objection]:
    speed, spent = whole_speed(fighter), points(order.steps)
    if not any(stride in SIDE for stride in order.steps):
        sides = tables.constant("turn_factor") * speed
        if len(order.steps) > sides:
            yield Objection(f"standing still {fighter.name} can turn {sides} hex sides, not {spent}", "SPX-08")
    elif spent > speed:
        yield Objection(f"that costs {spent}, {fighter.name} has a Combat Speed of {speed}", "SPX-09")


def _run(fighter: Fighter, tables: Tables, order: Run) -> Iterator[Objection]:
    if fighter.on_knees:
        yield Objection(f"{fighter.name} is on his knees: he can walk, not run", "SPX-10")
        return
    if Fraction(fighter.last_pace) < 1:
        yield Objection(f"{fighter.name} must move at Combat Speed for a phase before he runs", "SPX-10")
    name = "forward_factor" if order.going == "forward" else "back_factor"
    most = int(tables.constant(name) * fighter.speed)
    if order.hexes > most:
        yield Objection(f"{fighter.name} can run {most} hexes {order.going}, not {order.hexes}", "SPX-10")
