"""The battle in words: one line for every fact of the rule set, told with the field as it was before."""

from __future__ import annotations

from collections.abc import Mapping

from events.facts import Event
from events.ice_and_fire import heroes, siege, units
from projections.dice.rolls import limited
from projections.fold import Caption
from projections.ice_and_fire.state import BattleField, rounded, sky_of

_WAYS = {"quit": "leaves the field", "yielded": "lays down its arms", "fled": "flees from the field"}
_DEEDS = {"inspire": "inspires", "lead": "leads from the front of", "first": "rides first in the wedge of"}
_SPENT = {"orders": "an order", "moving": "the march", "rush": "the rush at the foe", "deeds": "a deed"}
_COSTS = {0: "free", 1: "lesser action", 2: "greater action"}
_LINKS = {"carried": "understood", "blurred": "only half understood", "misread": "misunderstood"}
_ACTIONS = {
    "breath": "catch your breath",
    "counter": "counterattack",
    "cover": "take cover",
    "hold": "hold the line",
    "man": "man the wall",
    "quit": "quit the field",
    "scale": "scale the wall",
    "serve": "take over an engine",
    "shieldwall": "shield wall",
}
_STANCES = {
    "aim": "takes aim",
    "hold": "holds the line",
    "shield_wall": "stands in shield wall",
    "wedge": "forms a wedge",
    "wedge_spent": "rides on in a loose wedge, open to others' blows",
    "withdrawing": "draws back, shields to the foe",
    "taking_cover": "takes cover behind the wall",
    "counter": "stands ready to strike first",
    "staggered": "is staggered: no greater action in its next turn",
    "scaling": "climbs",
    "set": "sets its weapons against a charge",
    "quitting": "makes off the field, if it is left alone",
}

_FATES = {
    "falls": "is beaten down",
    "killed": "is killed",
    "yielded": "yields",
    "captured": "is beaten down and taken",
    "left for dead": "is beaten down and left for dead",
}
_STANCES_LEFT = {
    "counter": "strikes before the blow falls",
    "set": "meets the charge with set weapons",
    "shield_wall": "is out of its shield wall",
    "wedge": "is no longer in wedge",
    "wedge_spent": "closes its loose wedge",
    "quitting": "comes to the edge",
    "scaling": "falls back from the wall",
    "staggered": "is too shaken by the blow, and gets over it",
}


def name_of(before: BattleField, who: str) -> str:
    """The name of whatever an id belongs to; the id itself if it is nobody's."""
    for kind in (before.units, before.heroes, before.engines, before.walls, before.gates, before.grounds, before.posts):
        if who in kind:
            return str(kind[who].name)
    return who


def _acted(event: units.UnitActed, before: BattleField) -> str:
    who = name_of(before, event.unit)
    if event.action == "idle":
        return f"{who} does nothing in this round"
    return f"{who}: {_ACTIONS.get(event.action, event.action)} ({_COSTS[event.lesser]})"


def _moved(event: units.UnitMoved, before: BattleField) -> str:
    who = name_of(before, event.unit)
    mm = before.mm_each_yard
    if not event.distance and event.at != before.units[event.unit].at:
        return f"{who} stands at {event.at.x // mm},{event.at.y // mm} now, facing {event.facing:03d}"
    if not event.distance:
        return f"{who} turns to face {event.facing:03d}"
    return f"{who} moves {_yards(event.distance // mm)}"


def _stopped(event: units.MoveStopped, before: BattleField) -> str:
    who, mm = name_of(before, event.unit), before.mm_each_yard
    far = f"{event.gone // mm} of {_yards(-(-event.wanted // mm))}" if event.wanted else _yards(event.gone // mm)
    if event.by in before.grounds and before.grounds[event.by].over:
        return f"{who} goes {far}: no more units get through {name_of(before, event.by)} in this round"
    if event.by:
        return f"{who} goes {far}: {name_of(before, event.by)} is in the way"
    return f"{who} goes {far}: that is as far as it gets in this round"


def _stated(event: units.UnitStated, before: BattleField) -> str:
    mm = before.mm_each_yard
    where = f"{event.at.x // mm},{event.at.y // mm}"
    return f"{name_of(before, event.unit)} stands at {where}, facing {event.facing:03d}: the referee says so"


def _attacked(event: units.Attacked, before: BattleField) -> str:
    who, whom = name_of(before, event.unit), name_of(before, event.target)
    weapon = event.weapon.replace("_", " ")
    if not event.degrees:
        return f"{who} does {whom} no harm with {weapon}"
    return f"{who} strikes {whom} with {weapon}: {_degrees(event.degrees)}, {_damage(event)}"


def _struck(event: heroes.Struck, before: BattleField) -> str:
    by = f"a man of {name_of(before, event.by)}" if event.soldier else name_of(before, event.by)
    by = f"a stake of {name_of(before, event.by)}" if event.weapon == "stakes" else by
    if not event.degrees:
        return f"{by} misses {name_of(before, event.target)}"
    defended = f" (defence {event.defence})" if event.defence else ""
    return f"{by} hits {name_of(before, event.target)}{defended}: {_degrees(event.degrees)}, {_damage(event)}"


def _damage(event: units.Attacked | heroes.Struck) -> str:
    before = event.damage if event.before_limits is None else event.before_limits
    return f"{limited(before, event.damage)} damage"


def _men(number: int) -> str:
    return f"{number} {'man' if number == 1 else 'men'}"


def _yards(number: int) -> str:
    return f"{number} yard{'s' * (number != 1)}"


def _degrees(number: int) -> str:
    return f"{number} degree{'s' * (number != 1)}"


def _order(event: units.OrderPassed, before: BattleField) -> str:
    told = _LINKS[event.result]
    extra = f", +{event.bonus} on what follows" if event.bonus else ""
    return f"{name_of(before, event.giver)} orders {name_of(before, event.receiver)}: {told}{extra}"


def _plan(event: units.PlanWorkedOut, before: BattleField) -> str:
    words = {"clear": "sees what is meant", "blurred": "is none the wiser", "misjudged": "misjudges the plan"}
    return f"{name_of(before, event.receiver)} {words[event.result]}"


def _morale(event: units.MoraleTested, before: BattleField) -> str:
    told = "stands firm" if not event.steps else f"wavers ({event.steps} step{'s' * (event.steps != 1)})"
    return f"{name_of(before, event.unit)} {told}: {event.why}"


def _placed(event: units.UnitPlaced, before: BattleField) -> str:
    better = "well equipped " if event.upgraded else ""
    type_ = event.unit_type.replace("_", " ")
    return f"{event.name}: {event.men} {event.rank} {better}{type_} for {event.seat}"


def _counted(event: units.CasualtiesCounted, before: BattleField) -> str:
    felled = f", {event.felled} felled by heroes" if event.felled else ""
    rolled = event.rolled + event.added
    none = f" ({limited(rolled, 0)})" if rolled < 0 else ""
    return f"{name_of(before, event.unit)} ends {event.outcome} and loses {_men(event.lost)}{none}{felled}"


def _trained(event: units.TrainingReckoned, before: BattleField) -> str:
    shaken = ", will begin disorganized" if event.disorganized else ""
    return f"{name_of(before, event.unit)} has training {rounded(event.training)} now and ranks {event.rank}{shaken}"


def _hurt(event: heroes.HeroHurt, before: BattleField) -> str:
    hero = before.heroes[event.hero]
    if event.wounds > hero.wounds:
        return f"{hero.name} takes a wound"
    injury = ", injured" if event.injuries > hero.injuries else ""
    return f"{hero.name} takes {event.damage} damage ({event.total} in all){injury}"


def _spent(event: heroes.RoundsSpent, before: BattleField) -> str:
    number = event.rounds
    return f"{name_of(before, event.hero)} spends {number} combat round{'s' * (number != 1)} on {_SPENT[event.on]}"


def _counted_rounds(number: int) -> str:
    return f"{number} round{'s' * (number != 1)}"


def _engine_hurt(event: siege.EngineDamaged, before: BattleField) -> str:
    return f"{name_of(before, event.engine)} takes {event.amount} damage ({event.total} in all)"


def _field(event: siege.FieldLaid, before: BattleField) -> str:
    size = f"{event.width // event.mm_each_yard} by {event.height // event.mm_each_yard} yards"
    sky = sky_of(event.light, event.weather)
    return f"the field is {size}" + (f", in {sky}" if sky else "")


def _passage(event: siege.PassageOpened, before: BattleField) -> str:
    through = "over" if event.over in before.grounds else "through"
    return f"a narrow way is open {through} {name_of(before, event.over)}"


CAPTIONS: Mapping[type[Event], Caption] = {
    units.PostSet: lambda e, b: f"{name_of(b, e.holder)} commands {e.name}",
    units.UnitPlaced: _placed,
    units.InitiativeWon: lambda e, b: f"orders go first to {', then '.join(e.seats)}",
    units.OrderPassed: _order,
    units.PlanWorkedOut: _plan,
    units.OrderRefused: lambda e, b: f"{name_of(b, e.unit)}: {e.by} will not do it",
    units.PostTaken: lambda e, b: f"{name_of(b, e.holder)} takes over {name_of(b, e.post)}",
    units.UnitActed: _acted,
    units.UnitMoved: _moved,
    units.MoveStopped: _stopped,
    units.StanceTaken: lambda e, b: f"{name_of(b, e.unit)} {_STANCES.get(e.stance, e.stance)}",
    units.StanceLeft: lambda e, b: f"{name_of(b, e.unit)} {_STANCES_LEFT.get(e.stance, f'ends: {e.stance}')}",
    units.Attacked: _attacked,
    units.UnitDamaged: lambda e, b: f"{name_of(b, e.unit)} takes {e.amount} damage ({e.total} in all)",
    units.BreathCaught: lambda e, b: f"{name_of(b, e.unit)} catches its breath: {e.amount} damage less",
    units.ConditionWorsened: lambda e, b: f"{name_of(b, e.unit)} is {e.to}: {e.why}",
    units.Reformed: lambda e, b: f"{name_of(b, e.unit)} reforms: {e.to}, {e.total} damage left",
    units.ConditionStated: lambda e, b: f"{name_of(b, e.unit)} is {e.to}: the referee says so",
    units.UnitStated: _stated,
    units.MoraleTested: _morale,
    units.WeaponLost: lambda e, b: f"{name_of(b, e.unit)} loses its {e.weapon.replace('_', ' ')}",
    units.ArmourShattered: lambda e, b: f"shields and armour of {name_of(b, e.unit)} are shattered",
    units.StakesPlanted: lambda e, b: f"{name_of(b, e.unit)} plants its stakes",
    units.StakesPulled: lambda e, b: f"{name_of(b, e.unit)} pulls its stakes out",
    units.StakesStuck: lambda e, b: f"the stakes of {name_of(b, e.unit)} are stuck for good",
    units.Inspired: lambda e, b: f"{name_of(b, e.hero)} {_DEEDS[e.deed]} {name_of(b, e.unit)}",
    units.UnitLeft: lambda e, b: f"{name_of(b, e.unit)} {_WAYS[e.how]}" + (" in good order" if e.good_order else ""),
    units.SideWithdraws: lambda e, b: f"{e.seat} draws off",
    units.SideWithdrew: lambda e, b: f"{e.seat} draws off" + (" in good order" if e.good_order else " in disorder"),
    units.CasualtiesCounted: _counted,
    units.TrainingReckoned: _trained,
    units.UnitsMerged: lambda e, b: f"{name_of(b, e.joined)} joins {name_of(b, e.unit)}: {e.men} men",
    heroes.HeroPlaced: lambda e, b: f"{e.name} for {e.seat}, with {name_of(b, e.unit) if e.unit else 'nobody'}",
    heroes.RoundsSpent: _spent,
    heroes.HeroAttached: lambda e, b: f"{name_of(b, e.hero)} joins {name_of(b, e.unit)}",
    heroes.HeroAlone: lambda e, b: (
        f"{name_of(b, e.hero)} leaves {name_of(b, b.heroes[e.hero].unit)}"
        if e.rule == "IF-040"
        else f"{name_of(b, e.hero)} is left behind"
    ),
    heroes.HeroMoved: lambda e, b: f"{name_of(b, e.hero)} moves",
    heroes.Struck: _struck,
    heroes.HeroHurt: _hurt,
    heroes.HeroFell: lambda e, b: f"{name_of(b, e.hero)} {_FATES.get(e.fate, f'falls: {e.fate}')}",
    heroes.SoldierHurt: lambda e, b: f"the man that {name_of(b, e.hero)} fights is hurt",
    heroes.SoldierFelled: lambda e, b: f"{name_of(b, e.hero)} fells a man of {name_of(b, e.unit)}",
    siege.FieldLaid: _field,
    siege.GroundMarked: lambda e, b: f"{e.name}: {e.terrain.replace('_', ' ')}",
    siege.GroundNamed: lambda e, b: f"{name_of(b, e.ground)} counts as {e.terrain.replace('_', ' ')}",
    siege.WallBuilt: lambda e, b: f"{e.name}: {e.wall.replace('_', ' ')}{'' if 'palisade' in e.wall else ' wall'}",
    siege.GateHung: lambda e, b: f"{e.name}: {e.gate.replace('_', ' ')} gate, {e.doors} to break",
    siege.EnginePlaced: lambda e, b: f"{e.name} for {e.seat}, with {name_of(b, e.crew) if e.crew else 'nobody'}",
    siege.EngineMoved: lambda e, b: f"{name_of(b, e.engine)} rolls on",
    siege.EngineServed: lambda e, b: f"{name_of(b, e.unit)} takes over {name_of(b, e.engine)}",
    siege.EngineFired: lambda e, b: f"{name_of(b, e.engine)} throws",
    siege.EngineDamaged: _engine_hurt,
    siege.EngineDestroyed: lambda e, b: f"{name_of(b, e.engine)} is destroyed",
    siege.GearShattered: lambda e, b: (
        f"{name_of(b, e.by)} breaks the {e.gear.replace('_', ' ')} of {name_of(b, e.unit)}"
    ),
    siege.WallClimbed: lambda e, b: (
        f"{name_of(b, e.unit)} climbs at {name_of(b, e.wall)}: {_degrees(e.degrees)} in all"
    ),
    siege.WallMounted: lambda e, b: (
        f"{name_of(b, e.unit)} is on {name_of(b, e.wall)}" + (", with the foe upon it" if e.contested else "")
    ),
    siege.WallLeft: lambda e, b: f"{name_of(b, e.unit)} is off the wall",
    siege.WallTaken: lambda e, b: f"{name_of(b, e.unit)} takes {name_of(b, e.wall)}",
    siege.StructureStruck: lambda e, b: (
        f"{name_of(b, e.structure)} is weaker by {e.amount}: {limited(e.left, max(e.left, 0))} left"
    ),
    siege.DoorBroken: lambda e, b: f"a door of {name_of(b, e.gate)} is down, {e.doors} left",
    siege.PassageOpened: _passage,
    siege.PassageClosed: lambda e, b: f"{name_of(b, e.passage)} is destroyed",
    siege.PassageUsed: lambda e, b: f"{name_of(b, e.unit)} goes through {name_of(b, e.passage)}",
    siege.BridgeWorked: lambda e, b: f"{name_of(b, e.unit)} works on a way over {name_of(b, e.ground)}",
    siege.FireStarted: lambda e, b: (
        f"{name_of(b, e.target)} burns for {_counted_rounds(e.rounds)} more"
        if e.rounds
        else f"the fire on {name_of(b, e.target)} goes out"
    ),
    siege.FireBurned: lambda e, b: (
        f"the fire on {name_of(b, e.target)} burns on" if e.rounds else f"the fire on {name_of(b, e.target)} is out"
    ),
}
"""What is said of each fact."""
