"""Magic and archery: who releases when, what keeps him from it, what missiles and spells do."""

from __future__ import annotations

from typing import Any

import pytest

from engine.orders.errors import SheetRefused
from events import rhand as facts
from events.facts import OrderLapsed
from projections.rhand.captions import CAPTIONS
from tests.rhand.ring import TABLES, Ring, man

DOWN = {"id": "sleep", "force": 25, "effect": "down"}
BURN = {"id": "burn", "force": 20, "effect": "pd", "amount": 3}
FRIGHT = {"id": "fright", "force": 5, "effect": "distracted"}
SHOVE = {"id": "shove", "force": 5, "effect": "moved"}


def bowman(name: str, seat: str, at: str, facing: str = "north", **given: Any) -> dict[str, Any]:
    usual = {"missile": "long_bow", "ammunition": 5, "strength": 15, "skills": {"long_bow": 4}}
    return man(name, seat, at, facing, **{**usual, **given})


def mages(**options: str) -> Ring:
    fighters = [
        man("ada", "red", "0512", spells=["sleep", "burn", "fright", "shove"], agility=14),
        bowman("tom", "red", "0712"),
        man("foe", "blue", "0604", "south", spells=["sleep", "burn", "fright"], agility=12),
        bowman("fay", "blue", "0804", "south"),
    ]
    return Ring(fighters, spells=[DOWN, BURN, FRIGHT, SHOVE], options=options, by_hand=["red", "blue"])


def test_without_mages_and_archers_a_phase_begins_with_movement() -> None:
    """SP-010, SP-001."""
    assert Ring([man("ann", "red", "0505"), man("bob", "blue", "0502")]).state.step == "movement"
    assert mages().state.step == "release"


@pytest.mark.parametrize(("ammunition", "step"), [(2, "release"), (1, "release"), (0, "movement")])
def test_the_last_arrow_can_still_be_released(ammunition: int, step: str) -> None:
    """SP-010: the step is called while anyone has something to shoot."""
    ring = Ring([bowman("tom", "red", "0712", ammunition=ammunition), man("bob", "blue", "0502")])
    assert ring.state.step == step
    while ring.state.phase == 1:
        ring.battle.proceed()
    assert (ring.state.phase, ring.state.step) == (2, step)


@pytest.mark.parametrize(("given", "step"), [({"spells": ["sleep"]}, "release"), ({"ammunition": 3}, "movement")])
def test_a_mage_releases_in_every_phase_and_arrows_without_a_bow_in_none(given: dict[str, Any], step: str) -> None:
    """SP-010."""
    fighters = [man("ada", "red", "0712", **given), man("bob", "blue", "0502")]
    ring = Ring(fighters, spells=[DOWN])
    while ring.state.phase == 1:
        ring.battle.proceed()
    assert ring.state.step == step


def test_the_total_is_two_dice_and_agility() -> None:
    """SP-011, SP-012: highest first."""
    ring = mages()
    ring.order("ada: cast burn at foe", "foe: cast burn at ada")
    ring.battle.proceed()
    assert [term.value for term in ring.state.table.called["t1/release/ada/order"].terms] == [14]
    ring.throw({"ada/order": (1, 1), "foe/order": (6, 6)})
    assert [each.fighter for each in ring.facts(facts.Released)] == ["foe"]


def test_where_two_foes_release_their_rolls_are_held_against_each_other() -> None:
    """SP-012: for two the higher total is first; for more there is no one other roll to beat."""
    ring = mages()
    ring.order("ada: cast burn at foe", "foe: cast burn at ada")
    ring.battle.proceed()
    called = ring.state.table.called
    assert called["t1/release/ada/order"].against == "t1/release/foe/order"
    assert called["t1/release/foe/order"].against == "t1/release/ada/order"
    ring = mages()
    ring.order("ada: cast burn at foe", "foe: cast burn at ada", "tom: shoot at fay")
    ring.battle.proceed()
    assert {call.against for call in ring.state.table.called.values()} == {""}


def test_a_spell_works_before_the_next_release() -> None:
    """SP-013, SP-014: damage taken from an earlier spell distracts."""
    ring = mages()
    ring.order("ada: cast burn at foe", "foe: cast sleep at ada")
    ring.battle.proceed()
    ring.throw({"ada/order": (6, 6), "foe/order": (1, 1)})
    (lapsed,) = ring.facts(OrderLapsed)
    assert (lapsed.piece, lapsed.rule) == ("foe", "SP-014")
    assert "took physical damage this phase" in lapsed.reason
    assert not ring.state.fighters["ada"].down


def test_who_is_down_before_his_turn_does_not_shoot() -> None:
    """SP-015, SA-15: before loosing there is no shot."""
    ring = mages()
    ring.order("tom: shoot at fay", "foe: cast sleep at tom")
    ring.battle.proceed()
    ring.throw({"tom/order": (1, 1), "foe/order": (6, 6)})
    assert [(each.piece, each.rule) for each in ring.facts(OrderLapsed)] == [("tom", "SP-015")]
    assert not ring.facts(facts.ShotJudged)


def test_no_arrow_stops_a_spell_of_the_same_phase() -> None:
    """SP-016, SP-017: arrows come down after all spells, even when loosed first."""
    ring = mages()
    ring.order("tom: shoot at foe", "foe: cast sleep at ada")
    ring.battle.proceed()
    ring.throw({"tom/order": (6, 6), "foe/order": (1, 1), "tom>foe/hit": 0})
    told = ring.bodies()
    took = next(at for at, body in enumerate(told) if "rhand.spell_took" in body)
    fell = next(at for at, body in enumerate(told) if "rhand.shot_judged" in body)
    assert took < fell
    assert ring.state.fighters["ada"].down


def test_an_arrow_may_drop_a_man_before_he_moves() -> None:
    """SP-018, SA-16."""
    ring = mages()
    ring.order("tom: shoot at fay")
    ring.battle.proceed()
    ring.throw({"tom>fay/hit": 0, "location": 3, "knockout": 0})
    assert ring.state.step == "movement"
    assert ring.state.fighters["fay"].down
    with pytest.raises(SheetRefused, match="SP-044"):
        ring.order("fay: walk forward")


@pytest.mark.parametrize(("name", "lapses"), [("fright", True), ("burn", True)])
def test_a_mage_is_distracted_by_hostile_magic(name: str, lapses: bool) -> None:
    ring = mages()
    ring.order(f"ada: cast {name} at foe", "foe: cast sleep at ada")
    ring.battle.proceed()
    ring.throw({"ada/order": (6, 6), "foe/order": (1, 1)})
    assert bool(ring.facts(OrderLapsed)) is lapses


def test_an_archer_shoots_on_through_a_fright() -> None:
    """The list of distractions tells mages from archers (SP-014)."""
    ring = mages()
    ring.order("foe: cast fright at tom", "tom: shoot at fay")
    ring.battle.proceed()
    ring.throw({"tom/order": (1, 1), "foe/order": (6, 6)})
    assert [each.fighter for each in ring.facts(facts.ShotJudged)] == ["tom"]


def test_who_releases_has_no_weapon_actions() -> None:
    """SA-17."""
    ring = mages()
    ring.order("tom: shoot at fay", "ada: cast burn at foe")
    ring.battle.proceed()
    ring.throw({})
    ring.go("declare")
    counts = {each.fighter: each.weapon for each in ring.facts(facts.ActionsCounted)[0].counts}
    assert counts.get("ada", 0) == counts.get("tom", 0) == 0


def test_the_referee_says_what_a_spell_does() -> None:
    """SG-03: typed effects; what cannot be read is asked again; the scenario's effect is the default."""
    ring = Ring(
        [man("ada", "red", "0512", spells=["shove"]), man("foe", "blue", "0604", "south")],
        spells=[SHOVE], referee="present",
    )  # fmt: skip
    ring.order("ada: cast shove at foe")
    ring.battle.proceed()
    key = "t1/release/ada/spell"
    ring.battle.rule(key, "it blows him away")
    ring.battle.rule(f"{key}/2", "foe moved 0512")  # somebody stands there
    ring.battle.rule(f"{key}/3", "foe moved 9999")  # that is no hex of the field
    ring.battle.rule(f"{key}/4", "foe moved 0602; foe pd 12; Ada distracted")
    took = [(each.fighter, each.effect, each.amount) for each in ring.facts(facts.SpellTook)]
    assert took == [("foe", "moved", 0), ("foe", "pd", 12), ("ada", "distracted", 0)]
    assert ring.state.fighters["foe"].total == 12
    assert CAPTIONS[facts.SpellTook](ring.facts(facts.SpellTook)[0], ring.state) == (
        "Foe is moved to 0602 by shove of Ada (SG-03)"
    )


@pytest.mark.parametrize(("answer", "shots"), [("yes", 0), ("no", 1)])
def test_an_enemy_at_arms_length_may_distract(answer: str, shots: int) -> None:
    """SG-02."""
    ring = Ring([bowman("tom", "red", "0505"), man("bob", "blue", "0504", "south")], referee="present")
    ring.order("tom: shoot at bob")
    ring.battle.proceed()
    ring.battle.rule("t1/release/tom/distracted", answer)
    assert len(ring.facts(facts.ShotJudged)) == shots


# ---------------------------------------------------------------------------------------------------- SPX-14


@pytest.mark.parametrize(
    ("changed", "order", "why"),
    [
        ({"ammunition": 0}, "tom: shoot at fay", "nothing left"),
        ({"strength": 5}, "tom: shoot at fay", "needs 15"),
        ({"facing": "south"}, "tom: shoot at fay", "Field of Attack"),
        ({"missile": "thrown_dagger", "at": "0726"}, "tom: shoot at fay", "out of range"),
        ({"missile": ""}, "tom: shoot at fay", "nothing to shoot"),
        ({}, "tom: shoot at tom", "no target"),
    ],
)
def test_shots_that_cannot_be_made_name_the_reason(changed: dict[str, Any], order: str, why: str) -> None:
    """SPX-14, SPX-11."""
    ring = Ring([{**bowman("tom", "red", "0712"), **changed}, bowman("fay", "blue", "0804", "south")])
    ring.go("release")
    with pytest.raises(SheetRefused, match=why):
        ring.order(order)


def test_a_shot_tells_what_its_accuracy_is_made_of_and_where_each_figure_is_from() -> None:
    """SPX-14."""
    ring = Ring([bowman("tom", "red", "0510"), man("bob", "blue", "0503", "south")], by_hand=["red"])
    ring.order("tom: shoot at bob")
    ring.battle.proceed()
    ring.throw({"tom/order": (1, 1)})
    ring.throw({"bob/hit": (50,)})
    (shot,) = ring.facts(facts.ShotJudged)
    assert sum(term.value for term in shot.terms) == shot.level
    assert [term.source.partition(" ")[0] for term in shot.terms] == ["", "house", "found", "found", "house", "house"]


def test_a_bow_must_be_loaded_again() -> None:
    ring = mages()
    ring.order("tom: shoot at foe")
    ring.battle.proceed()
    ring.throw({"tom>foe/hit": 99})
    reload_phases = TABLES.missile("long_bow").reload_phases
    assert ring.state.fighters["tom"].ready == 1 + reload_phases
    assert ring.state.fighters["tom"].ammunition == 4
    ring.go("declare")
    ring.battle.proceed()
    with pytest.raises(SheetRefused, match=f"ready in phase {1 + reload_phases}"):
        ring.order("tom: shoot at foe")


def test_a_throw_is_multiplied_by_the_damage_bonus_and_a_bow_is_not() -> None:
    """SPX-14, SA-07a."""
    from fractions import Fraction

    from engine.rules.rhand.archery import force

    assert force(TABLES.missile("javelin_thrown"), 10, Fraction(3, 2)) == 12
    assert force(TABLES.missile("long_bow"), 10, Fraction(3, 2)) == 12


@pytest.mark.parametrize(("roll", "stopped"), [(59, 1), (60, 0)])
def test_sixty_in_a_hundred_hits_of_a_volley_strike_shields(roll: int, stopped: int) -> None:
    ring = mages()
    ring.order("tom: shoot at foe volley")
    ring.battle.proceed()
    ring.throw({"tom>foe/hit": 0, "tom>foe/shield": roll})
    assert len(ring.facts(facts.ShotStopped)) == stopped
    assert len(ring.facts(facts.Struck)) == 1 - stopped


# ---------------------------------------------------------------------------------------------------- SPX-15


def test_where_chosen_a_spell_is_prepared_released_and_rested_after() -> None:
    """SPX-15: force 25 takes two phases; two phases of rest follow."""
    ring = mages(preparation="on")
    with pytest.raises(SheetRefused, match="not prepared"):
        ring.order("ada: cast sleep at foe")
    ring.order("ada: prepare sleep")
    to_next_phase(ring)
    with pytest.raises(SheetRefused, match="ready in phase 3"):
        ring.order("ada: cast sleep at foe")
    to_next_phase(ring)
    ring.order("ada: cast sleep at foe")
    to_next_phase(ring)
    assert ring.state.fighters["foe"].down
    with pytest.raises(SheetRefused, match="rest until phase 6"):
        ring.order("ada: prepare burn")


def test_a_wound_breaks_a_preparation() -> None:
    ring = mages(preparation="on")
    ring.order("ada: prepare sleep", "fay: shoot at ada")
    ring.battle.proceed()
    ring.throw({"fay>ada/hit": 0, "location": 95, "knockout": 99})
    to_next_phase(ring)
    to_next_phase(ring)
    ring.order("ada: cast sleep at foe")
    ring.battle.proceed()
    ring.throw({})
    assert [(each.piece, each.rule) for each in ring.facts(OrderLapsed)] == [("ada", "SP-014")]
    assert ring.state.fighters["ada"].preparing == ""


def test_a_target_must_be_seen_or_memorised() -> None:
    """SP-014, SPX-15."""
    ring = Ring([man("ada", "red", "0512", "south", spells=["burn"]), man("foe", "blue", "0604")], spells=[BURN])
    with pytest.raises(SheetRefused, match="does not see"):
        ring.order("ada: cast burn at foe")
    ring.order("ada: cast burn at foe memorised")


def to_next_phase(ring: Ring) -> None:
    phase = ring.state.phase
    while ring.state.phase == phase:
        ring.battle.proceed()
        ring.throw({"knockout": 99})
