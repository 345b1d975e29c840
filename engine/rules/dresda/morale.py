"""Morale: what calls for a test, the test, and what its letter does (DR-110 to DR-121)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, Final

from engine.field.plane import Length, within
from engine.rules.dresda.calls import D10, option, table_call, terms_of
from engine.rules.dresda.sight_and_arcs import covered_place
from engine.rules.dresda.situation import Situation
from engine.rules.dresda.table_rows import MoraleEffect
from engine.rules.dresda.tables import counted
from engine.rules.rule_set import Yielded, ask_all, roll_all
from events.dresda import MoodSet, MoraleTested
from events.facts import RollCalled, RulingRequested, Term
from projections.dresda.state import Figure

CHARGED, RALLY = "charged", "rally"
CHARGED_CAUSE, RALLY_CAUSE = "charged by cavalry", "rally near the leader"

_RULES: Final[Mapping[str, str]] = {"wounded": "DR-043", "attacked_in_rear": "DA-14"}


def must_test(situation: Situation, figure: Figure) -> bool:
    """Whether a figure can be shaken at all: the dead and gone never test (DA-22), nor do races that know no fear."""
    return not figure.gone and not situation.tables.race(figure.who.race).morale_immune


# ---------------------------------------------------------------------------------------------------- the test


def test_call(situation: Situation, figure: Figure, cause: str) -> RollCalled:
    """The D10 of a morale test, with the chance of each letter (DR-111)."""
    tables = situation.tables
    race = tables.race(figure.who.race)
    terms = [Term(race.id.replace("_", " "), race.morale, "DR-111", race.mark("morale"))] if race.morale else []
    terms += terms_of(counted(tables.morale, circumstances(situation, figure, cause), figure.wounds), _RULES, "DR-111")
    return table_call(
        f"t{situation.state.turn}/morale/{figure.id}/{cause.replace(' ', '_')}",
        f"{figure.who.name} tests morale: {_told(cause)}",
        figure,
        "DR-121" if cause == CHARGED else "DR-111",
        D10,
        lambda total: _named(tables.morale_effect(tables.morale_letter(total).letter)),
        tuple(terms),
    )


def circumstances(situation: Situation, figure: Figure, cause: str) -> Iterator[str]:
    """The morale modifiers that hold for a figure (DR-111)."""
    state, rows = situation.state, situation.tables.morale
    friends, enemies = state.friends(figure), state.enemies(figure)
    leader = state.figures.get(figure.who.leader)
    yield f"status_{figure.who.status}"
    if any(each.who.leader == figure.id for each in state.figures.values()):
        yield "is_leader"
    if leader is not None and (leader.gone == "dead" or leader.counts_dead):
        yield "leader_dead"
    elif leader is not None and not leader.gone and _near(figure, leader, rows["leader_near"].within_mm):
        yield "leader_near"
    if _count(figure, friends, rows["friends_near"].within_mm) >= rows["friends_near"].at_least:
        yield "friends_near"
    if not _count(figure, friends, rows["no_friend_near"].within_mm):
        yield "no_friend_near"
    reach = rows["outnumbered_near"].within_mm
    if _count(figure, enemies, reach) > _count(figure, friends, reach) + 1:
        yield "outnumbered_near"
    if any(each.routs and _near(figure, each, rows["friend_routing_near"].within_mm) for each in friends):
        yield "friend_routing_near"
    if covered_place(situation, figure):
        yield "in_cover_or_defended_position"
    if figure.mounted:
        yield "mounted"
    if cause == CHARGED and not covered_place(situation, figure):
        yield "charged_by_cavalry_in_open"
    spear = "charged_by_cavalry_with_spear_or_polearm"
    if cause == CHARGED and figure.arm.melee in rows[spear].weapons:
        yield spear
    if figure.in_rear:
        yield "attacked_in_rear"
    if figure.won:
        yield "won_hand_to_hand_this_turn"
    if figure.has_routed:
        yield "already_routed_this_battle"


def _near(one: Figure, other: Figure, reach: Length) -> bool:
    return within(one.place, other.place, reach)


def _count(figure: Figure, others: Sequence[Figure], reach: Length) -> int:
    return sum(_near(figure, other, reach) for other in others)


def _named(effect: MoraleEffect) -> str:
    return f"{effect.letter} {effect.name}"


def _told(cause: str) -> str:
    return {CHARGED: CHARGED_CAUSE, RALLY: RALLY_CAUSE}.get(cause, cause)


# ---------------------------------------------------------------------------------------------------- phase (f)


def morale(situation: Situation) -> Generator[Yielded, Any, None]:
    """Phase (f): a roll for each trigger of the turn, and the worst letter binds (DR-008, DR-110 to DR-114).

    Those who flee already may rally near their leader, if nothing new has shaken them (house reading).
    """
    tests = [
        (figure, cause)
        for figure in situation.state.standing()
        if must_test(situation, figure)
        for cause in (figure.triggers or ([RALLY] if _may_rally(situation, figure) else []))
    ]
    results = yield from _roll_tests(situation, tests)
    settled = yield from _settle(situation, results)
    for name in sorted(settled):
        figure = situation.state.figures[name]
        if [cause for cause, _, _ in results[name]] == [RALLY]:
            yield from _rallied(situation, figure, settled[name], _keys(results[name]))
        else:
            yield from bind(situation, figure, settled[name], situation.state.turn + 1, _keys(results[name]))


def _roll_tests(
    situation: Situation, tests: Sequence[tuple[Figure, str]]
) -> Generator[Yielded, Any, dict[str, list[tuple[str, str, str]]]]:
    """Roll all tests at once; give (cause, letter, key) of each by figure."""
    calls = [test_call(situation, figure, cause) for figure, cause in tests]
    readings = yield from roll_all(calls)
    results: dict[str, list[tuple[str, str, str]]] = {}
    for (figure, cause), call, reading in zip(tests, calls, readings, strict=True):
        letter = situation.tables.morale_letter(reading.total).letter
        name = situation.tables.morale_effect(letter).name
        yield MoraleTested(figure.id, _told(cause), letter, name, call.rule, call.key)
        results.setdefault(figure.id, []).append((cause, letter, call.key))
    return results


def _settle(
    situation: Situation, results: Mapping[str, Sequence[tuple[str, str, str]]]
) -> Generator[Yielded, Any, dict[str, str]]:
    """The letter that binds each figure: the worst (DR-113), or if disputed the referee's choice (DG-05)."""
    letters = {name: [letter for _, letter, _ in each] for name, each in results.items()}
    settled = {name: situation.tables.worst_letter(each) for name, each in letters.items()}
    disputed = [name for name in sorted(letters) if len(set(letters[name])) > 1]
    if option(situation, "disputes") != "ask":
        return settled
    answers = yield from ask_all(
        [
            RulingRequested(
                f"t{situation.state.turn}/morale/{name}/worst",
                "DG-05",
                f"{situation.state.figures[name].who.name} has {' and '.join(letters[name])}: which result applies?",
                tuple(sorted(set(letters[name]))),
                settled[name],
            )
            for name in disputed
        ]
    )
    settled.update(zip(disputed, answers, strict=True))
    return settled


def _keys(tests: Sequence[tuple[str, str, str]]) -> tuple[str, ...]:
    """The rolls of some tests."""
    return tuple(key for _, _, key in tests)


def bind(
    situation: Situation, figure: Figure, letter: str, since: int, keys: tuple[str, ...] = ()
) -> Generator[Yielded, Any, None]:
    """Let a letter bind a figure from a turn on: for that turn, or with later turns too (DR-114).

    A worse letter that still binds then is kept (DA-22).
    """
    effect = situation.tables.morale_effect(letter)
    if effect.lasts == "none":
        return
    held = figure.mood_at(since)
    if held and situation.tables.worst_letter([held, letter]) == held:
        return
    lasting = effect.lasts == "next_turn_and_subsequent"
    routs = effect.forced_move == "run_to_own_edge"
    yield MoodSet(figure.id, letter, effect.name, since, 0 if lasting else since, routs, "DR-114", keys)


# ---------------------------------------------------------------------------------------------------- rallying


def _may_rally(situation: Situation, figure: Figure) -> bool:
    """Whether one in flight has its leader near enough, who is not in flight himself."""
    letter, leader = figure.mood_at(situation.state.turn), situation.state.figures.get(figure.who.leader)
    if not letter or leader is None or leader.gone or leader.routs:
        return False
    reach = situation.tables.morale_effect(letter).rally_within_mm
    return reach > 0 and _near(figure, leader, reach)


def _rallied(situation: Situation, figure: Figure, letter: str, keys: tuple[str, ...]) -> Generator[Yielded, Any, None]:
    effect = situation.tables.morale_effect(figure.mood)
    if letter in effect.rally_letters:
        calmer = situation.tables.morale_effect(effect.rallied_to)
        since = situation.state.turn + 1
        yield MoodSet(figure.id, calmer.letter, calmer.name, since, since, False, "DR-114", keys)


# ---------------------------------------------------------------------------------------------------- charges


def charge_tests(situation: Situation) -> Generator[Yielded, Any, list[str]]:
    """Test those whom cavalry has charged; the result binds this very turn (DR-121). Gives who was tested.

    With the option `charge_test_by = "unit"` a unit tests once, by its first target, for all its figures (DA-19).
    """
    charged = [figure for figure in situation.state.standing() if figure.charged_by and must_test(situation, figure)]
    groups: dict[str, list[Figure]] = {}
    by_unit = option(situation, "charge_test_by") == "unit"
    for figure in charged:
        unit = f"{figure.who.seat}/{figure.who.unit}" if by_unit and figure.who.unit else figure.id
        groups.setdefault(unit, []).append(figure)
    results = yield from _roll_tests(situation, [(group[0], CHARGED) for _, group in sorted(groups.items())])
    bound: list[str] = []
    for _, group in sorted(groups.items()):
        letter = results[group[0].id][0][1]
        for figure in _all_of(situation, group, by_unit):
            yield from bind(situation, figure, letter, situation.state.turn, _keys(results[group[0].id]))
            bound.append(figure.id)
    return sorted(bound)


def _all_of(situation: Situation, group: Sequence[Figure], by_unit: bool) -> list[Figure]:
    """Those whom a charge test binds: the figure, or with the option its whole unit."""
    first = group[0]
    if not by_unit or not first.who.unit:
        return list(group)
    return [
        each
        for each in situation.state.standing()
        if each.who.seat == first.who.seat and each.who.unit == first.who.unit and must_test(situation, each)
    ]
