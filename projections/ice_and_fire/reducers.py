"""What each fact does to the field. Pure: no rules, no tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from events.facts import Event, RulingGiven, TurnBegan
from events.ice_and_fire import units as facts
from events.ice_and_fire.heroes import HeroPlaced
from projections.battle_state import COMMON_REDUCERS, Reducer
from projections.ice_and_fire.heroes import HERO_REDUCERS
from projections.ice_and_fire.siege import SIEGE_REDUCERS
from projections.ice_and_fire.state import ROUND_STANCES, TURN_STANCES, BattleField, Hero, Post, Spirit, Unit


def changed(state: BattleField, unit: str, **what: Any) -> BattleField:
    """The field with something different about one unit."""
    return replace(state, units={**state.units, unit: replace(state.units[unit], **what)})


def _lasting(unit: Unit) -> tuple[str, ...]:
    """The stances that outlast a round; one staggered that has let its turn go by has got over it."""
    over = ROUND_STANCES if unit.acted else ROUND_STANCES | {"staggered"}
    return tuple(stance for stance in unit.stances if stance not in over)


def _turn(state: BattleField, event: TurnBegan) -> BattleField:
    """A battle round, which is "this turn", begins: what was noted of the last one is dropped (AMB-39)."""
    state = COMMON_REDUCERS[TurnBegan](state, event)
    units = {
        name: replace(
            unit,
            lesser=0,
            attacked=False,
            acted=False,
            struck=(),
            struck_by=(),
            moved=False,
            spirit=None,
            stances=_lasting(unit),
        )
        for name, unit in state.units.items()
    }
    heroes = {name: replace(hero, orders=0, moving=0, rush=0, deeds=0) for name, hero in state.heroes.items()}
    grounds = {name: replace(ground, used=0) for name, ground in state.grounds.items()}
    return replace(state, units=units, heroes=heroes, grounds=grounds)


def _ruled(state: BattleField, event: RulingGiven) -> BattleField:
    """Answers whose key begins with `battle/` hold for the whole battle."""
    state = COMMON_REDUCERS[RulingGiven](state, event)
    if not event.key.startswith("battle/"):
        return state
    return replace(state, rulings={**state.rulings, event.key.removeprefix("battle/"): event.answer})


def _post(state: BattleField, event: facts.PostSet) -> BattleField:
    post = Post(event.id, event.name, event.seat, event.holder, event.above)
    return replace(state, posts={**state.posts, event.id: post})


def _placed(state: BattleField, event: facts.UnitPlaced) -> BattleField:
    unit = Unit(
        event.id,
        event.name,
        event.seat,
        event.unit_type,
        event.rank,
        event.training,
        event.men,
        event.establishment,
        event.post,
        event.profile,
        event.at,
        event.facing,
        event.front,
        event.depth,
        event.upgraded,
        event.mounted,
        event.owner,
        event.condition,
        gear=event.gear,
        stances=event.stances,
        stakes=event.stakes,
        stakes_area=event.stakes_area,
        on_wall=event.on_wall,
        in_hand=event.profile.arms[0].id if event.profile.arms and event.profile.arms[0].shoots else "",
        times_disorganized=int(event.condition == "disorganized"),
    )
    return replace(state, units={**state.units, event.id: unit})


def _initiative(state: BattleField, event: facts.InitiativeWon) -> BattleField:
    return replace(state, initiative=event.seats)


def _nothing(state: BattleField, event: Event) -> BattleField:
    return state


def _post_taken(state: BattleField, event: facts.PostTaken) -> BattleField:
    post = replace(state.posts[event.post], holder=event.holder, since=event.turn)
    return replace(state, posts={**state.posts, event.post: post})


def _acted(state: BattleField, event: facts.UnitActed) -> BattleField:
    unit = state.units[event.unit]
    stances = unit.stances if unit.acted else tuple(each for each in unit.stances if each not in TURN_STANCES)
    attacked = unit.attacked or event.attack
    return changed(state, event.unit, acted=True, lesser=unit.lesser + event.lesser, stances=stances, attacked=attacked)


def _moved(state: BattleField, event: facts.UnitMoved) -> BattleField:
    return changed(state, event.unit, at=event.at, facing=event.facing, moved=True)


def _stance(state: BattleField, event: facts.StanceTaken) -> BattleField:
    unit = state.units[event.unit]
    stances = tuple(sorted({*unit.stances, event.stance}))
    withdrew = state.table.turn if event.stance == "withdrawing" else unit.withdrew_turn
    return changed(state, event.unit, stances=stances, withdrew_turn=withdrew)


def _stance_left(state: BattleField, event: facts.StanceLeft) -> BattleField:
    stances = tuple(each for each in state.units[event.unit].stances if each != event.stance)
    return changed(state, event.unit, stances=stances)


def _attacked(state: BattleField, event: facts.Attacked) -> BattleField:
    """An attack leaves its traces on both; what stakes do by themselves leaves none on the men who planted them."""
    if event.free:
        return state
    units = dict(state.units)
    attacker, target = units[event.unit], units.get(event.target)
    units[event.unit] = replace(
        attacker,
        attacked=True,
        in_hand=event.weapon if any(arm.id == event.weapon for arm in attacker.profile.arms) else attacker.in_hand,
        struck=tuple(sorted({*attacker.struck, event.target})),
        melee_turn=event.turn if event.melee else attacker.melee_turn,
        stances=tuple(each for each in attacker.stances if each != "aim"),  # for one attack (B-70)
    )
    if target is not None and event.melee:
        units[event.target] = replace(target, struck_by=tuple(sorted({*target.struck_by, event.unit})))
    return replace(state, units=units)


def _damaged(state: BattleField, event: facts.UnitDamaged) -> BattleField:
    return changed(state, event.unit, damage=event.total, hurt=True)


def _breath(state: BattleField, event: facts.BreathCaught) -> BattleField:
    return changed(state, event.unit, damage=event.total)


def _worse(state: BattleField, event: facts.ConditionWorsened) -> BattleField:
    """A worse condition is counted where it ends; reforming counts as nothing (AMB-28b, IF-170)."""
    unit = state.units[event.unit]
    stances = unit.stances
    if event.to != "disorganized":
        stances = tuple(each for each in stances if each != "shield_wall")
    return changed(
        state,
        event.unit,
        condition=event.to,
        stances=stances,
        times_disorganized=unit.times_disorganized + (event.to == "disorganized"),
        times_routed=unit.times_routed + (event.to == "routed"),
    )


def _reformed(state: BattleField, event: facts.Reformed) -> BattleField:
    reforms = state.units[event.unit].reforms + 1
    return changed(state, event.unit, condition=event.to, damage=event.total, reforms=reforms)


def _weapon_lost(state: BattleField, event: facts.WeaponLost) -> BattleField:
    return changed(state, event.unit, lost=(*state.units[event.unit].lost, event.weapon))


def _shattered(state: BattleField, event: facts.ArmourShattered) -> BattleField:
    unit = state.units[event.unit]
    return changed(state, event.unit, shield_lost=unit.shield_lost + event.shield, ar_lost=unit.ar_lost + event.ar)


def _planted(state: BattleField, event: facts.StakesPlanted) -> BattleField:
    return changed(state, event.unit, stakes="planted", stakes_area=event.area)


def _pulled(state: BattleField, event: facts.StakesPulled) -> BattleField:
    return changed(state, event.unit, stakes="carried", stakes_area=())


def _stuck(state: BattleField, event: facts.StakesStuck) -> BattleField:
    return changed(state, event.unit, stakes="stuck")


def _inspired(state: BattleField, event: facts.Inspired) -> BattleField:
    spirit = Spirit(event.hero, event.deed, event.bonus, event.penalty, event.only)
    return changed(state, event.unit, spirit=spirit)


def _left(state: BattleField, event: facts.UnitLeft) -> BattleField:
    return changed(state, event.unit, left=event.how, good_order=event.good_order)


def _withdraws(state: BattleField, event: facts.SideWithdraws) -> BattleField:
    return replace(state, withdrawing=(*state.withdrawing, event.seat))


def _condition_stated(state: BattleField, event: facts.ConditionStated) -> BattleField:
    return changed(state, event.unit, condition=event.to)


def _stated(state: BattleField, event: facts.UnitStated) -> BattleField:
    return changed(state, event.unit, at=event.at, facing=event.facing)


def _withdrew(state: BattleField, event: facts.SideWithdrew) -> BattleField:
    return replace(state, withdrawn={**state.withdrawn, event.seat: event.good_order})


def _counted(state: BattleField, event: facts.CasualtiesCounted) -> BattleField:
    men = state.units[event.unit].men - event.lost
    return changed(state, event.unit, outcome=event.outcome, casualties=event.lost, men=men)


def _trained(state: BattleField, event: facts.TrainingReckoned) -> BattleField:
    return changed(state, event.unit, training=event.training, rank=event.rank, starts_disorganized=event.disorganized)


def _merged(state: BattleField, event: facts.UnitsMerged) -> BattleField:
    state = changed(state, event.joined, merged=event.unit)
    return changed(state, event.unit, men=event.men, training=event.training, upgraded=event.upgraded)


def _hero(state: BattleField, event: HeroPlaced) -> BattleField:
    hero = Hero(
        event.id,
        event.name,
        event.seat,
        event.profile,
        event.at,
        event.unit,
        event.leader,
        event.notable,
    )
    return replace(state, heroes={**state.heroes, event.id: hero})


REDUCERS: Mapping[type[Event], Reducer] = {
    TurnBegan: _turn,
    RulingGiven: _ruled,
    facts.PostSet: _post,
    facts.UnitPlaced: _placed,
    facts.InitiativeWon: _initiative,
    facts.OrderPassed: _nothing,
    facts.PlanWorkedOut: _nothing,
    facts.OrderRefused: _nothing,
    facts.PostTaken: _post_taken,
    facts.UnitActed: _acted,
    facts.UnitMoved: _moved,
    facts.MoveStopped: _nothing,
    facts.StanceTaken: _stance,
    facts.StanceLeft: _stance_left,
    facts.Attacked: _attacked,
    facts.UnitDamaged: _damaged,
    facts.BreathCaught: _breath,
    facts.ConditionWorsened: _worse,
    facts.Reformed: _reformed,
    facts.ConditionStated: _condition_stated,
    facts.UnitStated: _stated,
    facts.MoraleTested: _nothing,
    facts.WeaponLost: _weapon_lost,
    facts.ArmourShattered: _shattered,
    facts.StakesPlanted: _planted,
    facts.StakesPulled: _pulled,
    facts.StakesStuck: _stuck,
    facts.Inspired: _inspired,
    facts.UnitLeft: _left,
    facts.SideWithdraws: _withdraws,
    facts.SideWithdrew: _withdrew,
    facts.CasualtiesCounted: _counted,
    facts.TrainingReckoned: _trained,
    facts.UnitsMerged: _merged,
    HeroPlaced: _hero,
    **HERO_REDUCERS,
    **SIEGE_REDUCERS,
}
"""What each fact of the rule set does, and what two common ones do besides."""
