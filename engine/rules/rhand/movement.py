"""Movement: all at once in two half-phases, contested hexes, passing blows, and the actions that are left (SP-018)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from engine.field.hexes import distance
from engine.orders import write_order
from engine.rules.rhand import calls
from engine.rules.rhand.blows import Guard, Strike, guards, resolve
from engine.rules.rhand.editions import first_edition
from engine.rules.rhand.objections import cost, row_of, spent, strike_of
from engine.rules.rhand.orders import Blow, Fight, Pass, Run, Walk
from engine.rules.rhand.positions import count, in_hand, on_field, option, reaches, sees
from engine.rules.rhand.situation import Situation
from engine.rules.rhand.strides import Spot, objections, pace, strides_of
from engine.rules.rule_set import Objection, Procedure, Yielded, ask_all, roll_all
from events import rhand as facts
from events.facts import OrderLapsed, RulingRequested
from events.places import Hex, digits_of
from projections.rhand.state import Fighter

NOBODY = "nobody"


def move(situation: Situation) -> Procedure:
    """Move everybody, count actions, resolve passing blows, and go on to the declarations (SPX-09, SPX-13).

    Closing in on somebody whose blows were parried is nothing but such movement (SA-14a).
    """
    walk = Moving(situation)
    yield from walk.run()
    yield from _count(situation)
    yield from _passing(situation, walk.seen)
    yield facts.StepBegan("declare")


class Moving:
    """All moves of a phase, stride by stride. `seen` keeps who stood where after each tick, for passing blows."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        state = situation.state
        orders = [each for each in in_hand(situation, "move") if isinstance(each, Walk | Run)]
        self.lapsed = [lapsed for each in orders if (lapsed := _lapsed(situation, each)) is not None]
        gone = {each.piece for each in self.lapsed}
        self.orders = {each.piece: each for each in orders if each.piece not in gone}
        self.spots = {each.id: Spot(each.at, each.facing) for each in state.men() if not each.is_horse}
        self.paths: dict[str, list[Hex]] = {name: [self.spots[name].at] for name in self.orders}
        self.done: dict[str, list[str]] = {name: [] for name in self.orders}
        self.stopped: dict[str, facts.Halted] = {}
        self.seen: list[dict[str, Spot]] = [dict(self.spots)]

    def run(self) -> Generator[Yielded, Any, None]:
        """Move everybody through both half-phases; record who halted and where all came to."""
        yield from self.lapsed
        tick = 0
        for half in (0, 1):
            plans = {name: self._half(order, half) for name, order in self.orders.items()}
            longest = max((len(plan) for plan in plans.values()), default=0)
            for place in range(1, longest + 1):
                tick += 1
                wanted = {name: strides for name, plan in plans.items() if (strides := _due(plan, place, longest))}
                yield from self._tick(wanted, tick)
                self.seen.append(dict(self.spots))
        for name in sorted(self.stopped):
            yield self.stopped[name]
        for name in sorted(self.orders):
            if self.done[name]:
                yield from self._moved(name)

    def _half(self, order: Walk | Run, half: int) -> tuple[str, ...]:
        """The strides of the first or the second half-phase; the odd one belongs to the first."""
        strides = strides_of(order)
        first = (len(strides) + 1) // 2
        return strides[first:] if half else strides[:first]

    def _tick(self, wanted: Mapping[str, str], tick: int) -> Generator[Yielded, Any, None]:
        """One stride of all who are due, together."""
        going = {name: self.spots[name].after(each) for name, each in wanted.items() if name not in self.stopped}
        for name in sorted(going):
            if why := self._barred(going[name].at):
                self._halt(going, name, why, "SPX-09")
        for name in [each for each in sorted(going) if self._meets(going, each)]:
            self._halt(going, name, "somebody comes the other way", "SG-06")
        yield from self._contests(going, tick)
        while blocked := [name for name in sorted(going) if self._blocked(going, name)]:
            for name in blocked:
                self._halt(going, name, "somebody stands there", "SPX-09")
        for name, there in going.items():
            if there.at != self.spots[name].at:
                self.paths[name].append(there.at)
            self.spots[name] = there
            self.done[name].append(wanted[name])

    def _barred(self, place: Hex) -> str:
        state = self.situation.state
        if not on_field(state.columns, state.rows, place):
            return "the field ends there"
        return "nobody can stand there" if place in state.closed else ""

    def _meets(self, going: Mapping[str, Spot], name: str) -> bool:
        """Whether somebody comes from where he goes, into his hex."""
        here, there = self.spots[name].at, going[name].at
        return here != there and any(
            self.spots[other].at == there and going[other].at == here for other in going if other != name
        )

    def _contests(self, going: dict[str, Spot], tick: int) -> Generator[Yielded, Any, None]:
        """Ask who gets a hex that several enter at the same moment (SG-06)."""
        rivals: dict[Hex, list[str]] = {}
        for name in sorted(going):
            if going[name].at != self.spots[name].at:
                rivals.setdefault(going[name].at, []).append(name)
        contested = [(place, names) for place, names in rivals.items() if len(names) > 1]
        answers = yield from ask_all([self._question(place, names, tick) for place, names in contested])
        for (_, names), winner in zip(contested, answers, strict=True):
            for name in names:
                if name != winner:
                    self._halt(going, name, "another was there first", "SG-06")

    def _question(self, place: Hex, names: list[str], tick: int) -> RulingRequested:
        fighters = self.situation.state.fighters
        best = max(fighters[name].agility for name in names)
        quick = [name for name in names if fighters[name].agility == best]
        key = f"t{self.situation.state.phase}/movement/{digits_of(place)}/{tick}"
        question = f"who comes first into hex {digits_of(place)}: {', '.join(fighters[name].name for name in names)}?"
        return RulingRequested(
            key, "SG-06", question, (*names, NOBODY), quick[0] if len(quick) == 1 else NOBODY
        )  # fmt: skip

    def _blocked(self, going: Mapping[str, Spot], name: str) -> bool:
        there = going[name].at
        return any(
            spot_.at == there and other != name and (other not in going or going[other].at == there)
            for other, spot_ in self.spots.items()
        )

    def _halt(self, going: dict[str, Spot], name: str, why: str, rule: str) -> None:
        self.stopped[name] = facts.Halted(name, going[name].at, why, rule)
        del going[name]

    def _moved(self, name: str) -> Iterator[facts.Moved]:
        order, fighter = self.orders[name], self.situation.state.fighters[name]
        quick = pace(order, self.done[name], fighter)
        facing, path = self.spots[name].facing, tuple(self.paths[name])
        rule = "SPX-10" if quick > 1 else "SPX-08" if len(path) == 1 else "SPX-09"
        yield facts.Moved(name, path, facing, str(quick), quick > 1, rule)
        if fighter.rides:
            yield facts.Moved(fighter.rides, path, facing, str(quick), quick > 1, "SPX-16")


def _lapsed(situation: Situation, order: Walk | Run) -> OrderLapsed | None:
    """An order that cannot be carried out any more, since the referee has stated a fact meanwhile; else None."""
    fighter = situation.state.fighters[order.piece]
    problem = Objection(f"{fighter.name} is out of the fight", "SP-044") if fighter.out else None
    problem = problem or next(objections(situation.state, situation.tables, order), None)
    return OrderLapsed(order.piece, write_order(order), problem.reason, problem.rule) if problem else None


def _due(plan: tuple[str, ...], place: int, longest: int) -> str:
    """The stride that falls on a tick when a plan is spread evenly over the longest one; empty if none does."""
    now = place * len(plan) // longest
    return plan[now - 1] if now > (place - 1) * len(plan) // longest else ""


# ---------------------------------------------------------------------------------------------------- actions


def _count(situation: Situation) -> Generator[Yielded, Any, None]:
    """Count what everybody can do this phase; where chosen, one die each decides the decimals (SPX-06)."""
    state, tables = situation.state, situation.tables
    men = list(state.men())
    rolls: list[int | None] = [None] * len(men)
    if option(state, "rounding", "nearest") == "chance":
        called = [
            calls.impact(
                f"t{state.phase}/actions/{each.id}", f"actions of {each.name}", each.seat, each.id, "1d10", "SPX-06"
            )
            for each in men
        ]
        rolls = [reading.total for reading in (yield from roll_all(called))]
    rule = "SPX-06" if option(state, "rounding", "nearest") == "chance" else "SPX-02"
    counts = tuple(count(state, each, tables, roll) for each, roll in zip(men, rolls, strict=True))
    yield facts.ActionsCounted(counts, rule)


def _passing(situation: Situation, seen: list[dict[str, Spot]]) -> Generator[Yielded, Any, None]:
    """Blows at somebody who came into range and out again, before all others (SPX-13)."""
    state, tables = situation.state, situation.tables
    orders = [each for each in in_hand(situation, "passing") if isinstance(each, Pass)]
    strikes: list[Strike] = []
    parries: dict[str, int] = {}
    for order in orders:
        fighter, foe = state.fighters[order.piece], state.fighters[order.blow.target]
        weapon, combat = _passing_cost(situation, fighter, order)
        why, moment = _moment(situation, fighter, foe, order.blow, seen)
        if not why and weapon > fighter.weapon_actions:
            why = f"{fighter.name} has {fighter.weapon_actions} Weapon Actions left, this takes {weapon}"
        elif not why and combat > fighter.combat_actions:
            why = f"{fighter.name} has {fighter.combat_actions} combat actions left, this takes {combat}"
        if why:
            yield OrderLapsed(order.piece, f"{order.piece}: pass {order.blow.target}", why, "SPX-13")
            continue
        here, there = moment[foe.id], moment[fighter.id]
        watched = sees(foe, there.at, tables, here.at, here.facing)
        strikes.append(replace(strike_of(situation, fighter, order.blow, 1), seen=watched))
        parries[order.piece] = order.parry
        yield facts.ActionsSpent(order.piece, 1, weapon, 0, order.parry, False, fighter.saved, "SPX-13", combat)
    declared = {name: Guard(number) for name, number in parries.items()}
    found = yield from guards(situation, strikes, declared)
    yield from resolve(situation, strikes, found, f"t{state.phase}/passing")


def _passing_cost(situation: Situation, fighter: Fighter, order: Pass) -> tuple[int, int]:
    """What a passing blow and its parries take of Weapon Actions and of combat actions (SPX-13, SPX-17)."""
    state, tables = situation.state, situation.tables
    if first_edition(state):
        strokes = tables.strokes
        return strokes[order.blow.stroke].actions + order.parry * strokes["parry"].actions, 0
    return spent(fighter, *cost(state, tables, fighter, Fight(order.piece, (order.blow,), order.parry)))


def _moment(
    situation: Situation, fighter: Fighter, foe: Fighter, blow: Blow, seen: list[dict[str, Spot]]
) -> tuple[str, Mapping[str, Spot]]:
    """When the blow falls: the first moment in range. Instead, why there is no passing blow."""
    if fighter.out or foe.out or row_of(situation.state, situation.tables, fighter, blow) is None:
        return "one of them is out of the fight", {}
    near = [_within(situation, fighter, foe, blow, each) for each in seen]
    if near[0] or near[-1] or not any(near):
        return f"{foe.name} did not come into range and out of it again", {}
    return "", seen[near.index(True)]


def _within(situation: Situation, fighter: Fighter, foe: Fighter, blow: Blow, spots: Mapping[str, Spot]) -> bool:
    tables = situation.tables
    row = row_of(situation.state, tables, fighter, blow)
    if row is None or fighter.id not in spots or foe.id not in spots:
        return False
    here, there = spots[fighter.id], spots[foe.id]
    far = distance(here.at, there.at)
    return reaches(row, fighter, foe, tables, far) and sees(fighter, there.at, tables, here.at, here.facing)
