"""How far a figure goes: rates, percentages, the cap, what actions leave (DR-010 to DR-022)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from engine.field.plane import NM_PER_MM, clip_path, path_fits, path_length
from engine.rules.dresda.calls import option
from engine.rules.dresda.ground import barriers_on, rows_on, sees_in_dark
from engine.rules.dresda.situation import Situation
from engine.rules.dresda.table_rows import MovementModifier
from engine.rules.dresda.weather import movement_rows
from engine.rules.rule_set import Objection
from events.dresda import Barrier
from events.facts import Term
from events.places import Point
from projections.dresda.state import Figure

WHOLE = 2
"""Half moves in a move."""


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
        return 1 if 2 * length <= self.whole * NM_PER_MM else WHOLE


def rate_of(situation: Situation, figure: Figure, gait: str) -> int:
    """The rate of a gait in mm, by race on foot, by mount mounted; 0 for a gait that it has not (DR-010, DA-07)."""
    if figure.mounted:
        mount = situation.tables.mount(figure.mount)
        return {"walk": mount.walk_mm, "run": mount.run_mm, "charge": mount.charge_mm}.get(gait, 0)
    race = situation.tables.race(figure.who.race)
    return {"walk": race.walk_mm, "run": race.run_mm}.get(gait, 0)


def slowing_rows(situation: Situation, figure: Figure, ground: Sequence[str]) -> list[MovementModifier]:
    """The basic rows that slow a figure on such ground: that, weather, darkness, load, crawling (DR-016)."""
    names = [*ground, *movement_rows(situation.state)]
    names += [figure.burden] * bool(figure.burden) + ["crawling"] * (figure.prone and not figure.mounted)
    found = [situation.tables.movement_row(name) for name in dict.fromkeys(names)]
    return [row for row in found if not (row.dark and sees_in_dark(situation.tables, figure))]


def allowance(situation: Situation, figure: Figure, gait: str, ground: Sequence[str], shared: int) -> Allowance:
    """How far a figure may go over ground with these rows, when actions took `shared` half moves before."""
    basic = [(row, row.cut(figure.mounted)) for row in slowing_rows(situation, figure, ground)]
    doubled = 2 if option(situation, "wound_movement") == "double" and figure.wounds else 1  # DA-01
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
        wound = situation.tables.wound_row()
        cut = wound.cut(figure.mounted) * figure.wounds  # DR-019: a further 25 for each
        terms.append(Term(f"{figure.wounds} × wounded", -cut, "DR-019", wound.mark_of_cut(figure.mounted)))
    cap = max(situation.tables.movement_cap_pct, *(cut for _, cut in basic), 0)  # DR-017; DR-018: a single row above it
    total = min(-sum(term.value for term in terms), cap)
    return Allowance(gait, rate_of(situation, figure, gait), total, tuple(terms), shared)


def ran_on_foot(figure: Figure) -> bool:
    """Whether a figure ran last turn on its own feet; who was carried by a mount did not (DR-011)."""
    return figure.gait_before == "run" and not figure.rode_before


def gait_objection(situation: Situation, figure: Figure, gait: str, ground: Sequence[str]) -> Objection | None:
    """Why a figure may not go at a gait over such ground, or None (DR-011, DR-016, DR-114)."""
    name, turn = figure.who.name, situation.state.turn
    if gait == "walk":
        return None
    if gait == "run" and not figure.mounted and ran_on_foot(figure):
        return Objection(f"{name} ran last turn: on foot nobody runs in two turns running", "DR-011")
    letter = figure.mood_at(turn)
    if letter and not situation.tables.morale_effect(letter).may_run:
        return Objection(f"{name} {figure.mood_name} and does not {gait}", "DR-114")
    for row in slowing_rows(situation, figure, ground):
        if not row.may_run(figure.mounted):
            return Objection(f"{name} cannot {gait}: {row.id.replace('_', ' ')}", "DR-016")
    return None


class Spent(Struct, frozen=True):
    """What of its turn a figure gives to other things than its way: half moves, and climbs that are paid for."""

    halves: int = 0
    climbs: tuple[str, ...] = ()


class March(Struct, frozen=True):
    """A way (its start first) with what it was allowed, and the actions by which it climbs."""

    path: list[Point]
    allowed: Allowance
    climbs: tuple[str, ...]


def crossing(barrier: Barrier, mounted: bool) -> str:
    """The action by which a barrier is crossed, on foot or mounted; empty if it cannot be (DR-030)."""
    return barrier.leap if mounted else barrier.climb


def impassable(situation: Situation, figure: Figure, path: Sequence[Point]) -> Barrier | None:
    """A barrier on a path that a figure cannot cross, or None (DR-030)."""
    return next((each for each in barriers_on(situation.state, path) if not crossing(each, figure.mounted)), None)


def priced(situation: Situation, figure: Figure, gait: str, path: Sequence[Point], spent: Spent) -> March:
    """A whole way with what it is allowed, whether or not it is longer; no barrier on it may be impassable.

    What is entered anywhere slows all of it (DR-016), and every barrier costs its action, on every way alike (DR-021,
    DR-030).
    """
    needed = Counter(crossing(each, figure.mounted) for each in barriers_on(situation.state, path))
    climbs = tuple(sorted((needed - Counter(spent.climbs)).elements()))
    cost = spent.halves + sum(situation.tables.action(name).halves for name in climbs)
    return March(list(path), allowance(situation, figure, gait, rows_on(situation.state, path), cost), climbs)


def march(situation: Situation, figure: Figure, gait: str, path: Sequence[Point], spent: Spent) -> March:
    """As much of a path (its start first) as a figure can go at a gait.

    Every way goes by this that nobody measured beforehand: flight, falling back, breaking off, a charge, as far as
    possible. It stops short of what it cannot enter, cross or pay for, and a charge stops short of ground that allows
    none. Cost: some ten looks at the ground, whatever the length.
    """
    bare = allowance(situation, figure, gait, rows_on(situation.state, path[:1]), spent.halves)
    most = min(path_length(path) // NM_PER_MM + 1, bare.mm.numerator // bare.mm.denominator)
    if (found := _marched(situation, figure, gait, _stretch(path, most), spent)) is not None:
        return found  # nothing on the way takes more than the start does
    stops = range(most)
    beyond = bisect_left(
        stops, True, key=lambda mm: _marched(situation, figure, gait, _stretch(path, mm), spent) is None
    )
    found = _marched(situation, figure, gait, _stretch(path, beyond - 1), spent) if beyond else None
    return found or March(list(path[:1]), bare, ())


def _stretch(path: Sequence[Point], mm: int) -> list[Point]:
    """The first `mm` of a path; all of it when that is more than its whole millimetres."""
    return clip_path(path, mm) if mm * NM_PER_MM <= path_length(path) else list(path)


def _marched(situation: Situation, figure: Figure, gait: str, path: list[Point], spent: Spent) -> March | None:
    """The march along all of a path, or None if the figure cannot go it."""
    if impassable(situation, figure, path) is not None:
        return None
    ground = rows_on(situation.state, path)
    if gait == "charge" and not all(row.may_run(True) for row in slowing_rows(situation, figure, ground)):
        return None
    found = priced(situation, figure, gait, path, spent)
    return found if path_fits(path, found.allowed.mm) else None
