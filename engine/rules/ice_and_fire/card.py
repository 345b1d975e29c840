"""A unit at a glance: its figures, where they come from, what it bears, what it may do now with which chance. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from engine.orders import write_order
from engine.rules.ice_and_fire import orders as o
from engine.rules.ice_and_fire.alone import can_charge
from engine.rules.ice_and_fire.breaking import break_refusal, break_tn
from engine.rules.ice_and_fire.calls import Pool
from engine.rules.ice_and_fire.chances import chance_of
from engine.rules.ice_and_fire.command import order_line
from engine.rules.ice_and_fire.defences import has_shield
from engine.rules.ice_and_fire.engines import bombard_refusal, usual_missile
from engine.rules.ice_and_fire.engines_at_hand import at_engine, serve_refusal, serves
from engine.rules.ice_and_fire.fighting import skill_shares
from engine.rules.ice_and_fire.objections import objections
from engine.rules.ice_and_fire.scaling import scale_refusal
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.targets import by_distance, within_reach
from engine.rules.ice_and_fire.ways import allowance
from projections.ice_and_fire.state import Unit, rounded


class CardWeapon(Struct, frozen=True):
    """A weapon on a card: the dice of its attack, damage each degree, range in yards (0 in the hand), if it is lost."""

    name: str
    dice: str
    damage: int
    range_yd: int
    qualities: tuple[str, ...]
    lost: bool


class CardAct(Struct, frozen=True):
    """An order that the unit may carry out now, and the chance that its own test succeeds: 1 if it takes none."""

    order: str
    chance: Fraction


class Card(Struct, frozen=True, kw_only=True):
    """A unit's card. Lengths are yards in a Move or a sprint; an order must reach `order_tn`, by `order_lines`.

    `training` is shown rounded; `training_from` says what it comes from. `defence` is against a plain blow, with the
    `shield` in it where that is in hand.
    """

    unit: str
    name: str
    seat: str
    type: str
    upgraded: bool
    men: int
    establishment: int
    rank: str
    training: str
    training_from: str
    condition: str
    damage: int
    health: int
    move_yd: int
    sprint_yd: int
    defence: int
    shield: int
    armour: int
    order_tn: int
    order_lines: tuple[tuple[str, int], ...]
    weapons: tuple[CardWeapon, ...]
    gear: tuple[str, ...]
    stances: tuple[str, ...]
    stakes: str
    wall: str
    heroes: tuple[str, ...]
    engines: tuple[str, ...]
    may: tuple[CardAct, ...]


def card(situation: Situation, name: str) -> Card:
    """The card of a unit that a situation holds. Cost: the chances of what it may do, whose odds are kept."""
    unit, state = situation.state.units[name], situation.state
    yard, actions = state.mm_each_yard, situation.tables.actions
    lines = tuple((line.label, line.value) for line in order_line(situation, unit, reform=False))
    shield = has_shield(unit)
    return Card(
        unit=unit.id,
        name=unit.name,
        seat=unit.seat,
        type=situation.tables.unit_types[unit.type].name,
        upgraded=unit.upgraded,
        men=unit.men,
        establishment=unit.establishment,
        rank=unit.rank,
        training=rounded(unit.training),
        training_from=_training_from(unit),
        condition=unit.condition,
        damage=unit.damage,
        health=unit.profile.health,
        move_yd=allowance(situation, unit, actions["move"].move_rounds) // yard,
        sprint_yd=allowance(situation, unit, actions["sprint"].move_rounds, sprinting=True) // yard,
        defence=unit.profile.cd + shield,
        shield=shield,
        armour=max(unit.profile.ar - unit.ar_lost, 0),
        order_tn=sum(value for _, value in lines),
        order_lines=lines,
        weapons=tuple(_weapons(situation, unit)),
        gear=tuple(situation.tables.gear[each].name for each in unit.gear),
        stances=unit.stances,
        stakes=unit.stakes,
        wall=_wall(situation, unit),
        heroes=tuple(hero.name for hero in state.attached(unit.id)),
        engines=tuple(each.name for _, each in sorted(state.engines.items()) if serves(situation, unit, each)),
        may=tuple(_may(situation, unit)),
    )


def _training_from(unit: Unit) -> str:
    """How the average over all places comes from the men who are there (IF-198)."""
    if not unit.men or unit.men == unit.establishment:
        return f"{unit.men} of {unit.establishment} men"
    each = Fraction(*unit.training) * unit.establishment / unit.men
    return f"{unit.men} of {unit.establishment} men at {rounded((each.numerator, each.denominator))} each"


def _weapons(situation: Situation, unit: Unit) -> Iterator[CardWeapon]:
    for arm in unit.profile.arms:
        pool = Pool(tuple(skill_shares(situation, unit.profile, arm, unit.name)), unit.profile.abilities[arm.skill])
        yield CardWeapon(arm.name, pool.dice, arm.damage, arm.range_yd, arm.qualities, arm.id in unit.lost)


def _wall(situation: Situation, unit: Unit) -> str:
    walls = situation.state.walls
    if unit.on_wall:
        return f"on {walls[unit.on_wall].name}" + (", with the foe upon it" if unit.contested else "")
    climbing = [f"{walls[name].name}: {degrees} climbed" for name, degrees in sorted(unit.climbed.items()) if degrees]
    return ", ".join(climbing)


# -- what it may do ----------------------------------------------------------------------------------------------------


def _may(situation: Situation, unit: Unit) -> Iterator[CardAct]:
    if not unit.fights:
        return
    for order in _orders(situation, unit):
        if not any(objections(situation, order)):
            yield CardAct(write_order(order), chance_of(situation, order))


def _orders(situation: Situation, unit: Unit) -> Iterator[o.UnitOrder]:
    """What there is to do where the unit stands: foes in reach, foes to charge, walls and gates, engines, itself."""
    name = unit.id
    if unit.condition != "organized":
        yield o.Reform(name)
    for foe in within_reach(situation, unit):
        yield o.Attack(name, foe.id, aim=True)
    for foe in by_distance(situation, unit):
        if can_charge(situation, unit, foe):
            yield o.Charge(name, foe.id)
    yield from _at_works(situation, unit)
    yield from _at_engines(situation, unit)
    yield o.Breathe(name)
    yield o.Counter(name)
    yield o.ShieldWall(name)
    yield o.Wedge(name)
    if unit.on_wall and not unit.contested:
        yield o.Cover(name)


def _at_works(situation: Situation, unit: Unit) -> Iterator[o.UnitOrder]:
    state = situation.state
    for wall in sorted(state.walls):
        if scale_refusal(situation, unit, state.walls[wall]) is None:
            yield o.Scale(unit.id, wall)
    for structure in sorted((*state.walls, *state.gates)):
        if break_tn(situation, structure) > 0 and break_refusal(situation, unit, structure) is None:
            yield o.Break(unit.id, structure)


def _at_engines(situation: Situation, unit: Unit) -> Iterator[o.UnitOrder]:
    state = situation.state
    for engine in (each for _, each in sorted(state.engines.items()) if not each.destroyed):
        if engine.seat != unit.seat and at_engine(situation, unit, engine):
            yield o.Break(unit.id, engine.id)
        if at_engine(situation, unit, engine) and serve_refusal(situation, unit, engine) is None:
            yield o.Serve(unit.id, engine.id)
        if engine.throws and serves(situation, unit, engine):
            machine = situation.tables.machines[engine.engine]
            marks = [foe.id for foe in by_distance(situation, unit)] + sorted((*state.walls, *state.gates))
            for mark in marks:
                if bombard_refusal(situation, unit, engine, mark, usual_missile(situation, machine, mark)) is None:
                    yield o.Bombard(unit.id, mark, engine.id)
