"""Fights, retreats and morale (VG-3 to VG-6), and the end of the turn (VG-7)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final

from vanguard.facts import Fought, Lost, Recovered, Retreated, Shaken
from vanguard.state import Field
from vanguard.tables import Tables
from wardiary.facts import BattleEnded, Hex, OrderLapsed, RollCalled, RulingRequested, Term, TurnBegan, digits_of
from wardiary.rules import Goal, Procedure, RollFor, Situation, Yielded, ask, check, hexes, in_table, roll_all

DIE: Final = "d6"


def fights(situation: Situation[Field, Tables], orders: Sequence[tuple[str, str]]) -> Procedure:
    """All attacks are rolled at once and take effect one after the other, by the name of the target (VG-3)."""
    field = situation.state
    attacks: dict[str, list[str]] = {}
    for name, target in orders:
        if hexes.distance(field.units[name].at, field.units[target].at) == 1:
            attacks.setdefault(target, []).append(name)
        else:
            yield OrderLapsed(name, f"{name}: attack {target}", f"{target} is not next to {name}", "VG-3")
    targets = sorted(attacks)
    calls = [_attack(situation, attacks[target], target) for target in targets]
    readings = yield from roll_all(calls)
    hurt: dict[str, int] = {}
    for target, call, reading in zip(targets, calls, readings, strict=True):
        result = situation.tables.results.cell(reading.total, _lead(field, attacks[target], target))
        yield Fought(tuple(attacks[target]), target, result, "VG-3", call.key)
        yield from _take_effect(situation, result, attacks[target], target, hurt)
    yield from _morale(situation, hurt)
    yield from _end_of_turn(situation)


def _lead(field: Field, attackers: Sequence[str], target: str) -> int:
    return sum(field.units[name].strength for name in attackers) - field.units[target].strength


def _attack(situation: Situation[Field, Tables], attackers: Sequence[str], target: str) -> RollCalled:
    """VG-3: the roll of an attack, one less against woods."""
    field, first = situation.state, attackers[0]
    lead = _lead(field, attackers, target)
    what = RollFor(
        f"t{field.table.turn}/fight/{target}", f"{' and '.join(attackers)} attack {target} with a lead of {lead}",
        field.units[first].seat, first, "VG-3",
    )  # fmt: skip
    woods = (Term("the defender stands in woods", -1, "VG-2"),) if field.units[target].at in field.woods else ()
    return in_table(what, DIE, lambda total: situation.tables.results.cell(total, lead), woods)


def _take_effect(
    situation: Situation[Field, Tables], result: str, attackers: Sequence[str], target: str, hurt: dict[str, int]
) -> Procedure:
    """VG-3: what a result does. `hurt` gathers who must test morale, and how many points it has lost."""
    key = f"t{situation.state.table.turn}/fight/{target}"
    if result in ("exchange", "defender breaks"):
        for name in [target] if result == "defender breaks" else [target, attackers[0]]:
            yield Lost(name, 1, "VG-3")
            hurt[name] = hurt.get(name, 0) + 1
    back = {"attackers retreat": attackers, "defender retreats": [target], "defender breaks": [target]}
    for name in back.get(result, ()):
        if situation.state.units[name].strength > 0:
            yield from _retreat(situation, name, key)
            hurt.setdefault(name, 0)


def _retreat(situation: Situation[Field, Tables], name: str, key: str) -> Generator[Yielded, Any, None]:
    """VG-4: one hex back, away from all enemies if it can; the referee chooses among several; cut off it is lost."""
    field, unit = situation.state, situation.state.units[name]
    ways = _ways_back(field, name)
    if not ways:
        yield Lost(name, unit.strength, "VG-4")
        return
    names = tuple(map(digits_of, ways))
    answer = names[0]
    if len(names) > 1:
        question = f"to which hex does {name} go back?"
        answer = yield from ask(RulingRequested(f"{key}/retreat/{name}", "VG-4", question, names, names[0]))
    yield Retreated(name, hexes.hex_named(answer), "VG-4")


def _ways_back(field: Field, name: str) -> list[Hex]:
    unit = field.units[name]
    free = [
        place
        for place in hexes.neighbours(unit.at)
        if field.map.holds(place) and not field.unit_at(place) and not (unit.horse and place in field.woods)
    ]
    foes = [foe.at for foe in field.standing().values() if foe.seat != unit.seat]
    clear = [place for place in free if all(hexes.distance(place, foe) > 1 for foe in foes)]
    return clear or free


def _morale(situation: Situation[Field, Tables], hurt: dict[str, int]) -> Procedure:
    """VG-5: whoever lost strength or went back tests morale; each point lost makes it harder."""
    turn = situation.state.table.turn
    tested = [name for name in sorted(hurt) if situation.state.units[name].strength > 0]
    calls = []
    for name in tested:
        unit = situation.state.units[name]
        terms = [Term("steadiness", unit.steadiness, "VG-5")]
        terms += [Term("points lost", -hurt[name], "VG-5")] if hurt[name] else []
        what = RollFor(f"t{turn}/morale/{name}", f"{name} tests morale", unit.seat, name, "VG-5")
        calls.append(check(what, DIE, Goal("at_most", tuple(terms), limits=(1, 5), success="stands")))
    readings = yield from roll_all(calls)
    for name, call, reading in zip(tested, calls, readings, strict=True):
        if not reading.success:
            yield Shaken(name, "VG-5", call.key)


def _end_of_turn(situation: Situation[Field, Tables]) -> Procedure:
    """VG-6: who kept still recovers. VG-7: the battle ends when one side is gone, or after its last turn."""
    turn = situation.state.table.turn
    for name, unit in situation.state.standing().items():
        if 0 < unit.shaken < turn and unit.acted < turn:
            yield Recovered(name, "VG-6")
    field = situation.state
    strength = dict.fromkeys((seat.id for seat in field.table.seats), 0)
    for unit in field.standing().values():
        strength[unit.seat] += unit.strength
    left = [seat for seat, points in strength.items() if points]
    if len(left) < 2:
        yield BattleEnded("only one side is left", *left)
    elif turn >= field.turns:
        best = max(strength.values())
        winners = [seat for seat, points in strength.items() if points == best]
        yield BattleEnded(f"{turn} turns are over", winners[0] if len(winners) == 1 else "")
    else:
        yield TurnBegan(turn + 1)
