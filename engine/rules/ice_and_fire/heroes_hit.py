"""Attacks on a unit strike the heroes with it; harm to heroes; what their fall does (IF-041, IF-050, IF-051)."""

from __future__ import annotations

from engine.rules.ice_and_fire.calls import outcome
from engine.rules.ice_and_fire.condition import condition_after, harm_of, try_nerves
from engine.rules.ice_and_fire.defences import Blow, cover
from engine.rules.ice_and_fire.ground import adjacent_friends, engaged_with
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.rule_set import Procedure, ask
from events.facts import RulingRequested
from events.ice_and_fire.heroes import HeroFell, HeroHurt, Struck
from events.ice_and_fire.kit import Arm
from projections.dice.rolls import Reading
from projections.ice_and_fire.state import Hero, Unit

KILLED = "killed"
YIELDED = "yielded"
FATES = ("falls", KILLED, "captured", "left for dead")


def hero_defence(hero: Hero, *, no_shield: bool = False) -> int:
    """A hero's Combat Defense: his shield counts unless he uses both hands, or a machine throws (B-20, IF-281)."""
    both = no_shield or (bool(hero.profile.arms) and "two_handed" in hero.profile.arms[0].qualities)
    return hero.profile.cd + (0 if both else hero.profile.shield)


def strike_heroes(
    situation: Situation, unit: Unit, foe: Unit, arm: Arm, base: int, total: int, unit_damage: int, key: str, blow: Blow
) -> Procedure:  # fmt: skip
    """Hold an attack's roll against each hero with the unit it is aimed at (IF-041, AMB-07).

    Own degrees and own armour, in the unit's cover; or, by the option, the fixed harm of the game below, by how the
    unit fares (B-105).
    """
    fixed = situation.state.table.option("hero_damage", "own_degrees") == "fixed"
    covered = sum(line.value for line in cover(situation, foe, unit, arm))
    for hero in situation.state.attached(foe.id):
        defended = hero_defence(hero, no_shield=blow.no_shield) + covered
        if fixed:
            harm, before = _fixed_harm(situation, foe, unit_damage), None
            degrees = 1 if harm else 0
        else:
            degrees = outcome(situation.tables, Reading(total, None, ()), defended).degrees
            armour = 0 if "ignores_armour" in arm.qualities else max(hero.profile.ar - arm.piercing, 0)
            harm, before = harm_of(base, degrees, armour)
        if _leads_against(situation, hero, unit, foe, arm):
            harm *= situation.tables.number("lead_harm_times")
        if degrees:
            yield Struck(
                unit.id,
                hero.id,
                arm.id,
                degrees,
                harm,
                "IF-041",
                key,
                soldier=True,
                before_limits=before,
                defence=0 if fixed else defended,
            )
            yield from harm_hero(situation, hero.id, harm, unit.id, "IF-041", deadly="vicious" in arm.qualities)


def _leads_against(situation: Situation, hero: Hero, unit: Unit, foe: Unit, arm: Arm) -> bool:
    """Whether he leads from the front and the blow is from a unit that his own fights (IF-053, AMB-10, AMB-11)."""
    spirit = foe.spirit
    if spirit is None or spirit.hero != hero.id or spirit.deed not in ("lead", "first"):
        return False
    return not arm.shoots or unit.id in [each.id for each in engaged_with(situation, foe)]


def _fixed_harm(situation: Situation, foe: Unit, damage: int) -> int:
    """The fixed harm by what a hit does to the unit (B-105)."""
    if not damage:
        return 0
    number = situation.tables.number
    to, _ = condition_after(situation.tables, foe.profile.health, foe.damage + damage, damage, foe.condition)
    if to == foe.condition:
        return number("hero_tiny")
    return number(
        {"disorganized": "hero_hurt_disorganized", "routed": "hero_hurt_routed"}.get(to, "hero_hurt_destroyed")
    )


def harm_hero(situation: Situation, hero: str, harm: int, by: str, rule: str, *, deadly: bool = False) -> Procedure:
    """A hero is hurt. What would fell him he meets with an injury, or else a wound, while he can (B-27).

    A vicious weapon, `deadly`, kills whom it fells (B §5).
    """
    him = situation.state.heroes[hero]
    if harm <= 0 or not him.up:
        return
    endurance = him.profile.abilities["endurance"]
    left = him.profile.health - him.damage
    injuries, wounds, stays = him.injuries, him.wounds, harm
    if harm >= left and injuries < endurance and harm - endurance < left:
        injuries, stays = injuries + 1, max(harm - endurance, 0)
    elif harm >= left and wounds + 1 < endurance:
        wounds, stays = wounds + 1, 0
    yield HeroHurt(hero, stays, him.damage + stays, injuries, wounds, by, rule)
    if situation.state.heroes[hero].damage >= him.profile.health:
        yield from fell_hero(situation, hero, fate=KILLED if deadly else "", rule=rule)


def fell_hero(situation: Situation, hero: str, *, fate: str = "", rule: str = "RUL-16") -> Procedure:
    """A hero is defeated; the referee says what becomes of them, and their men take it hard (IF-050, IF-051, RUL-16).

    The referee is not asked if the `fate` is clear, by `rule`: the blow itself has killed, or they have yielded. One
    test for their unit, the harder if they were both its leader and highly notable (AMB-09).
    """
    him = situation.state.heroes[hero]
    asked = not fate
    if asked:
        key = f"t{situation.state.table.turn}/fate/{hero}"
        question = f"{him.name} is beaten down: what becomes of him?"
        fate = yield from ask(RulingRequested(key, "RUL-16", question, FATES, FATES[0]))
    unit = situation.state.units.get(him.unit)
    yield HeroFell(hero, fate, "RUL-16" if asked else rule)
    if unit is None:
        return
    number = situation.tables.number
    if him.notable:
        yield from try_nerves(situation, _there(unit), number("hero_fell_tn"), f"{him.name} has fallen", hero, "IF-051")
        near = [friend for friend in adjacent_friends(situation, unit) if friend.fights]
        tn = number("hero_fell_near_tn")
        yield from try_nerves(situation, near, tn, f"{him.name} has fallen near by", f"{hero}/near", "IF-051")
    elif him.leader:
        tn = number("leader_fell_tn")
        yield from try_nerves(situation, _there(unit), tn, f"{him.name}, their leader, has fallen", hero, "IF-050")


def _there(unit: Unit) -> list[Unit]:
    return [unit] if unit.on_field else []
