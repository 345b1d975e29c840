"""How far a figure goes: rates, percentages, the cap, what actions leave (DR-010 to DR-022)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from engine.field.plane import clip_path, path_length
from engine.rules.dresda.calls import Table, option
from engine.rules.dresda.ground import rows_on, sees_in_dark
from engine.rules.dresda.table_rows import MovementModifier
from engine.rules.dresda.weather import movement_rows
from engine.rules.rule_set import Objection
from events.facts import Term
from events.places import Point
from projections.dresda.state import Figure

WHOLE = 2
"""Half moves in a move."""

_NM = 10**6


class Allowance(Struct, frozen=True):
    """How far a figure may go: its gait's rate, the percentage cut off, and the half moves that actions took."""

    gait: str
    rate: int
    cut: int
    terms: tuple[Term, ...]
    shared: int

    @property
    def whole(self) -> Fraction:
        """The distance left of the rate, in mm, exact (DR-020)."""
        return Fraction(self.rate * (100 - self.cut), 100)

    @property
    def mm(self) -> Fraction:
        """The distance that actions leave: a half move takes half of it, a whole one all (DR-021, DR-022, DA-26)."""
        return self.whole * max(0, WHOLE - self.shared) / WHOLE

    def halves_of(self, path: Sequence[Point]) -> int:
        """What a path takes of the turn, in half moves: none, one if no longer than half the distance, else two."""
        length = path_length(path)
        if not length:
            return 0
        return 1 if 2 * length <= self.whole * _NM else WHOLE


def rate_of(table: Table, figure: Figure, gait: str) -> int:
    """The rate of a gait in mm, by race on foot, by mount mounted; 0 for a gait that it has not (DR-010, DA-07)."""
    if figure.mounted:
        mount = table.tables.mount(figure.mount)
        return {"walk": mount.walk_mm, "run": mount.run_mm, "charge": mount.charge_mm}.get(gait, 0)
    race = table.tables.race(figure.who.race)
    return {"walk": race.walk_mm, "run": race.run_mm}.get(gait, 0)


def slowing_rows(table: Table, figure: Figure, ground: Sequence[str]) -> list[MovementModifier]:
    """The basic rows that slow a figure on such ground: that, weather, darkness, load, crawling (DR-016)."""
    names = [*ground, *movement_rows(table.state)]
    names += [figure.burden] * bool(figure.burden) + ["crawling"] * (figure.prone and not figure.mounted)
    found = [table.tables.movement_row(name) for name in dict.fromkeys(names)]
    return [row for row in found if not (row.dark and sees_in_dark(table.tables, figure))]


def allowance(table: Table, figure: Figure, gait: str, ground: Sequence[str], shared: int) -> Allowance:
    """How far a figure may go over ground with these rows, when actions took `shared` half moves before."""
    basic = [(row, row.cut(figure.mounted)) for row in slowing_rows(table, figure, ground)]
    doubled = 2 if option(table, "wound_movement") == "double" and figure.wounds else 1  # DA-01
    terms = [
        Term(
            row.id.replace("_", " "),
            -cut * doubled,
            "DA-01" if doubled > 1 else "DR-016",
            row.mark_of_cut(figure.mounted),
        )
        for row, cut in basic
        if cut
    ]
    if figure.wounds and doubled == 1:
        wound = table.tables.wound_row()
        cut = wound.cut(figure.mounted) * figure.wounds  # DR-019: a further 25 for each
        terms.append(Term(f"{figure.wounds} × wounded", -cut, "DR-019", wound.mark_of_cut(figure.mounted)))
    cap = max(table.tables.movement_cap_pct, *(cut for _, cut in basic), 0)  # DR-017; DR-018: a single row above it
    total = min(-sum(term.value for term in terms), cap)
    return Allowance(gait, rate_of(table, figure, gait), total, tuple(terms), shared)


def gait_objection(table: Table, figure: Figure, gait: str, ground: Sequence[str]) -> Objection | None:
    """Why a figure may not go at a gait over such ground, or None (DR-011, DR-016, DR-114)."""
    name, turn = figure.who.name, table.state.turn
    if gait == "walk":
        return None
    if gait == "run" and not figure.mounted and figure.gait_before == "run":
        return Objection(f"{name} ran last turn: on foot nobody runs in two turns running", "DR-011")
    letter = figure.mood_at(turn)
    if letter and not table.tables.morale_effect(letter).may_run:
        return Objection(f"{name} {figure.mood_name} and does not {gait}", "DR-114")
    for row in slowing_rows(table, figure, ground):
        if not row.may_run(figure.mounted):
            return Objection(f"{name} cannot {gait}: {row.id.replace('_', ' ')}", "DR-016")
    return None


def march(table: Table, figure: Figure, gait: str, path: Sequence[Point], shared: int) -> tuple[list[Point], Allowance]:
    """As much of a path (its start first) as a figure can go; what it enters on the way slows all of it.

    For ways that nobody measured beforehand: flight, falling back, a charge at somebody who moved off. Where the ground
    ahead would slow it so much that it could not enter, it stops short of it.
    """
    ground = list(rows_on(table.state, path[:1]))
    allowed = allowance(table, figure, gait, ground, shared)
    reached = clip_path(path, allowed.mm)
    for _ in rows_on(table.state, path):  # each round adds a row of the ground that lies on the path
        entered = [row for row in rows_on(table.state, reached) if row not in ground]
        if not entered:
            break
        ground += entered
        allowed = allowance(table, figure, gait, ground, shared)
        reached = clip_path(path, allowed.mm)
    return reached, allowed
