"""What holds in every fight: the downed do nothing, damage never falls, more parries never raise a chance."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.adjudication.readjudicate import Readjudicator
from engine.orders import write_sheet
from engine.rules.rhand import rules
from engine.rules.rhand.blows import parry_type
from events import rhand as facts
from events.facts import Event, Revealed
from projections.rhand.state import Rhand
from replays.audit.verify import verify
from replays.seek import replay, steps
from tests.rhand.ring import TABLES, Ring, man
from tests.table import Table

KITS: list[dict[str, Any]] = [
    {"weapon": "broadsword", "shield": "heater", "armor": "leather"},
    {"weapon": "spear_2h", "armor": "none"},
    {"weapon": "battleaxe_2h", "armor": "mail"},
    {"weapon": "rapier", "armor": "clothing", "skill": 5, "weapon_arm": "left"},
    {"weapon": "mace_1h", "shield": "buckler", "armor": "brigandine", "skill": 1},
    {"weapon": "dagger", "missile": "short_bow", "ammunition": 4, "skills": {"short_bow": 4}},
    {"weapon": "quarterstaff", "spells": ["ember"], "armor": "none"},
    {"weapon": "", "armor": "leather", "skill": 2},
]
EMBER = {"id": "ember", "force": 9, "effect": "pd", "amount": 3}

sides = st.lists(st.sampled_from(range(len(KITS))), min_size=1, max_size=3)


def company(seat: str, kits: list[int], row: int, facing: str) -> list[dict[str, Any]]:
    return [
        man(f"{seat}{place}", seat, f"{5 + 2 * place:02}{row:02}", facing, **KITS[kit])
        for place, kit in enumerate(kits)
    ]


def fought(red: list[int], blue: list[int], options: dict[str, str] | None = None, phases: int = 12) -> Ring:
    fighters = [*company("red", red, 8, "north"), *company("blue", blue, 6, "south")]
    ring = Ring(fighters, spells=[EMBER], field={"last_phase": phases}, options=options)
    play(ring.battle)
    return ring


def play(battle: Table) -> None:
    while not battle.state.table.ended:
        for seat in ("red", "blue"):
            if sheet := write_sheet(battle.rules.autoplay(battle.situation(), seat)):
                battle.order(seat, sheet)
        battle.proceed()


ACTORS = (facts.BlowJudged, facts.Moved, facts.ActionsSpent, facts.Preparing, facts.Readying, facts.Roused)


def does(event: Event) -> str:
    """Who does something by an event."""
    if isinstance(event, facts.Roused):
        return event.by
    if isinstance(event, (*ACTORS, facts.Released)):
        return event.fighter
    return event.piece if isinstance(event, Revealed) else ""


@given(sides, sides)
@settings(max_examples=60)
def test_in_every_fight(red: list[int], blue: list[int]) -> None:
    """Whoever is down does nothing; PD never falls; the record replays, is proved and judged to be right."""
    ring = fought(red, blue)
    began: Rhand | None = None
    for step in steps(ring.log, ring.battle.fold, ring.battle.line):
        before, after = step.before, step.after
        assert isinstance(before, Rhand)
        assert isinstance(after, Rhand)
        if step.record.type == "table.act_opened":
            began = before
        if (who := does(step.event)) and began is not None and who in began.fighters:
            assert not began.fighters[who].out, step.record
        for name, fighter in before.fighters.items():
            assert after.fighters[name].total >= fighter.total
            assert set(after.fighters[name].disabled) >= set(fighter.disabled)
    assert replay(ring.log, ring.battle.fold, ring.battle.line) == ring.state
    assert verify(ring.log, "ring").unrevealed == 0
    Readjudicator(ring.log, ring.battle.line, rules()).run()


EVERYTHING = {name: values[-1] for name, values in rules().options.items() if name != "recovery"}


@given(sides, sides)
@settings(max_examples=10)
def test_with_every_option_on_a_fight_still_comes_to_its_end(red: list[int], blue: list[int]) -> None:
    ring = fought(red, blue, EVERYTHING, phases=6)
    assert ring.state.table.ended
    assert replay(ring.log, ring.battle.fold, ring.battle.line) == ring.state
    Readjudicator(ring.log, ring.battle.line, rules()).run()


@given(st.integers(0, 12), st.integers(0, 12), st.integers(-6, 26), st.integers(0, 22))
def test_more_parries_never_raise_a_chance(parries: int, blows: int, level: int, skill: int) -> None:
    def odds(number: int) -> int:
        table, _ = parry_type(TABLES, seen=blows, unseen=0, parries=number, dodge=False, was_dodging=False)
        return TABLES.odds(table, level, skill)

    assert odds(parries + 1) <= odds(parries)


@given(st.integers(1, 6), st.integers(1, 12), st.integers(-6, 26), st.integers(0, 22))
def test_more_and_shorter_blows_never_lower_a_chance(parries: int, blows: int, level: int, skill: int) -> None:
    """SP-029."""
    few, many = TABLES.parry_table(parries, blows), TABLES.parry_table(parries, blows + 1)
    assert TABLES.odds(few, level, skill) <= TABLES.odds(many, level, skill)


@given(st.integers(0, 120), st.integers(0, 99), st.sampled_from(["5A", "5B", "5C", "5D"]))
def test_more_impact_and_less_armour_never_harm_less(impact: int, roll: int, code: str) -> None:
    """SP-036, SP-037."""
    table = TABLES.damage[code]
    place = table.location(roll)
    for armor in table.classes:
        assert table.damage(place, impact + 1, armor) >= table.damage(place, impact, armor)
    by_class = [table.damage(place, impact, armor) for armor in table.classes]
    assert by_class == sorted(by_class, reverse=True)


@given(st.integers(0, 400), st.integers(1, 60))
def test_more_damage_never_makes_a_knockout_less_likely(total: int, value: int) -> None:
    assert TABLES.knockout_chance(total, value) <= TABLES.knockout_chance(total + 1, value)
    assert TABLES.knockout_chance(total, value + 1) <= TABLES.knockout_chance(total, value)


@pytest.mark.parametrize("seed", range(3))
def test_the_same_orders_come_from_the_same_situation(seed: int) -> None:
    fighters = [*company("red", [seed, 1], 8, "north"), *company("blue", [3, 4], 6, "south")]
    one, other = Ring(fighters, spells=[EMBER]), Ring(fighters[::-1], spells=[EMBER])
    for seat in ("red", "blue"):
        assert rules().autoplay(one.situation, seat) == rules().autoplay(other.situation, seat)
