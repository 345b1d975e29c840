"""The rules of Vanguard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import pytest
import vanguard
from vanguard.facts import Fought, Lost, Marched, Recovered, Retreated, Shaken
from vanguard.rule_set import Vanguard
from vanguard.tables import loader

from wardiary.facts import Event, RulingRequested, digits_of
from wardiary.rules import OrderNotAllowed, Scenario, ScenarioInvalid
from wardiary.testing import BareBattle, check_definition, check_play, check_samples, read_scenario

E = TypeVar("E", bound=Event)
HOME = Path(vanguard.__file__).parent


def opened(
    units: str, faces: Mapping[str, Sequence[int]] | None = None, answers: Mapping[str, str] | None = None
) -> BareBattle:
    """A battle on open ground with a wood at 0302; each unit is written `name seat hex strength`, horse with an `h`."""
    parts = {}
    for line in units.split(", "):
        name, seat, at, strength, *horse = line.split()
        parts[name] = {"seat": seat, "at": at, "strength": int(strength), "horse": bool(horse)}
    rest = {"map": {"columns": 9, "rows": 9, "woods": ("0302",)}, "unit": parts}
    scenario = Scenario("A test", "vanguard", {"north": "North", "south": "South"}, rest=rest)
    return BareBattle(Vanguard(), scenario, faces=faces, answers=answers)


def made(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.parametrize(
    ("units", "order", "told"),
    [
        ("pikes north 0304 3, levy south 0808 2", "pikes: march 0306", "0306 is not next to 0304"),
        ("pikes north 0304 3, levy south 0808 2", "pikes: march 0303 0302", "that costs 3, it has 2"),
        ("hussars north 0303 2 h, levy south 0808 2", "hussars: march 0302", "no horse goes into the woods at 0302"),
        ("pikes north 0304 3, levy south 0305 2", "pikes: march 0305", "levy stands at 0305"),
        ("pikes north 0304 3, guards north 0305 2, levy south 0808 2", "pikes: attack guards", "is on the same side"),
    ],
)
def test_what_the_rules_forbid_is_refused_when_it_is_ordered(units: str, order: str, told: str) -> None:
    with pytest.raises(OrderNotAllowed, match=told):
        opened(units).order("north", order)


def test_whoever_finds_the_way_taken_stops_before_it() -> None:
    battle = opened("guards north 0303 3, pikes north 0305 3, levy south 0808 2")
    battle.order("north", "guards: march 0304\npikes: march 0304")
    marches = made(battle.proceed(), Marched)
    assert [(event.unit, digits_of(event.path[-1])) for event in marches] == [("guards", "0304")]


@pytest.mark.parametrize(
    ("face", "woods", "result"),
    [(3, False, "no effect"), (4, False, "exchange"), (4, True, "no effect"), (1, True, "attackers retreat")],
)
def test_an_attack_is_read_by_its_lead_and_rolls_one_less_against_woods(face: int, woods: bool, result: str) -> None:
    at, other = ("0302", "0303") if woods else ("0304", "0305")
    battle = opened(f"pikes north {other} 3, levy south {at} 3", {"t1/fight/levy": (face,)})
    battle.order("north", "pikes: attack levy")
    (fought,) = made(battle.proceed(), Fought)
    assert fought.result == result


def test_units_attack_together() -> None:
    battle = opened("pikes north 0304 3, guards north 0404 2, levy south 0305 2", {"t1/fight/levy": (5,)})
    battle.order("north", "pikes: attack levy\nguards: attack levy")
    (fought,) = made(battle.proceed(), Fought)
    assert (fought.attackers, fought.result) == (("guards", "pikes"), "defender breaks")


def test_the_referee_chooses_where_a_unit_goes_back_to() -> None:
    faces = {"t1/fight/levy": (5,), "t1/morale/levy": (1,)}
    answers = {"t1/fight/levy/retreat/levy": "0205"}
    battle = opened("pikes north 0304 3, levy south 0305 3", faces, answers)
    battle.order("north", "pikes: attack levy")
    events = battle.proceed()
    (asked,) = made(events, RulingRequested)
    (back,) = made(events, Retreated)
    assert asked.choices == ("0405", "0306", "0205")
    assert digits_of(back.to) == "0205"


def test_a_unit_that_cannot_go_back_is_lost() -> None:
    units = "pikes north 0001 6, guards north 0100 2, hussars north 0101 2 h, levy south 0000 2"
    battle = opened(units, {"t1/fight/levy": (4,)})
    battle.order("north", "pikes: attack levy")
    (lost,) = made(battle.proceed(), Lost)
    assert (lost.unit, lost.points, battle.over) == ("levy", 2, True)


def test_who_fails_morale_must_keep_still_and_then_recovers() -> None:
    faces = {"t1/fight/levy": (4,), "t1/morale/levy": (6,), "t1/morale/pikes": (1,)}
    battle = opened("pikes north 0304 3, levy south 0305 3", faces)
    battle.order("north", "pikes: attack levy")
    assert [event.unit for event in made(battle.proceed(), Shaken)] == ["levy"]
    with pytest.raises(OrderNotAllowed, match="levy is shaken"):
        battle.order("south", "levy: march 0306")
    assert [event.unit for event in made(battle.proceed(), Recovered)] == ["levy"]


def test_all_that_is_wrong_in_a_scenario_is_told_at_once() -> None:
    with pytest.raises(ScenarioInvalid) as refused:
        opened("pikes east 0304 3, levy south 9901 2")
    assert refused.value.problems == ("unit.pikes.seat: no side 'east'", "unit.levy.at: '9901' is not on the map")


def test_a_results_table_of_your_own_is_checked(tmp_path: Path) -> None:
    text = (HOME / "tables" / "results.toml").read_text(encoding="utf-8")
    (tmp_path / "results.toml").write_text(text.replace('"exchange"', '"exchangee"', 1), encoding="utf-8")
    with pytest.raises(ValueError, match=r"there is no result 'exchangee' \(did you mean exchange\?\)"):
        loader().load(tmp_path)


def test_the_rule_set_is_whole() -> None:
    found, battle = check_play(Vanguard(), read_scenario(HOME / "scenario.toml"))
    found += check_definition(Vanguard())
    found += check_samples(Vanguard().fold(), HOME / "samples.json", battle.events)
    assert found == []
