"""The facts of Dresda in words, one line each, made from the fact and the state before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from events import dresda as facts
from events.facts import Event
from events.places import Point
from projections.dresda.state import Battlefield
from projections.fold import Caption

PHASES: Mapping[str, str] = {
    "declare": "(a) declarations",
    "aimed": "(b) aimed fire",
    "move": "(c) movement: orders, please",
    "missile": "(d) missile fire: orders, please",
    "melee": "(e) hand-to-hand",
    "morale": "(f) morale",
    "aftermath": "after the battle",
}
"""The phases as they are told (DR-001)."""


def cm(mm: int | Fraction) -> str:
    """Write millimetres as centimetres: 125 is 12.5. What is finer than a millimetre is left out: 135/2 is 6.7."""
    whole, tenths = divmod(abs(mm.numerator) // mm.denominator, 10)
    return f"{'-' if mm < 0 else ''}{whole}" + (f".{tenths}" if tenths else "")


def spot(place: Point) -> str:
    """Write a place as it is typed in an order."""
    return f"{cm(place.x)},{cm(place.y)}"


def _name(state: Battlefield, figure: str) -> str:
    known = state.figures.get(figure)
    return known.who.name if known is not None else figure


def _thing(state: Battlefield, thing: str) -> str:
    known = state.things.get(thing)
    return known.name if known is not None else f"the body of {_name(state, thing)}"


def _set(event: facts.FigureSet, before: Battlefield) -> str:
    who = event.who
    riding = f" on a {event.mount.replace('_', ' ')}" if event.mount else ""
    arms = ", ".join(arm.name for arm in event.arms) or "bare hands"
    return f"{who.name} ({who.status} {who.race}{riding}, {who.seat}) stands at {spot(event.place)} with {arms}"


def _moved(event: facts.Moved, before: Battlefield) -> str:
    name = _name(before, event.figure)
    why = f" ({event.why})" if event.why else ""
    if not event.path:
        turned = before.figures[event.figure].facing != event.facing
        return f"{name} {'turns to' if turned else 'stays, facing'} {event.facing}°{why}"
    off = f", {cm(event.rate)} cm less {event.cut} %" if event.cut else f", of {cm(event.rate)} cm"
    shared = ", half of it gone on actions" * (event.shared == 1)
    end = f"{_GAITS.get(event.gait, event.gait)} to {spot(event.path[-1])}"
    return f"{name} {end}{off}{shared}{why}{_given_up(event, before)}"


def _given_up(event: facts.Moved | facts.ActionTaken, before: Battlefield) -> str:
    """What a figure was busy with and gives up for something else."""
    busy = before.figures[event.figure].busy
    if not busy or (isinstance(event, facts.ActionTaken) and event.action == busy):
        return ""
    return f"; gives up: {busy.replace('_', ' ')}"


_GAITS: Mapping[str, str] = {"walk": "walks", "run": "runs", "charge": "charges", "stand": "shifts"}


def _action(event: facts.ActionTaken, before: Battlefield) -> str:
    name, deed = _name(before, event.figure), event.action.replace("_", " ")
    cost = {0: "at no cost", 1: "half a move", 2: "a whole move"}.get(event.halves, f"{event.halves} half moves")
    more = f"; {event.left} half moves more to go" if event.left else ""
    hand = f", with {event.in_hand} in hand" if event.in_hand else ""
    return f"{name}: {deed}{hand} ({cost}{more}){_given_up(event, before)}"


def _shot(event: facts.ShotFired, before: Battlefield) -> str:
    firer, target = _name(before, event.figure), _name(before, event.target)
    how = "throws" if event.thrown else "shoots"
    aimed = ", well aimed" if event.aimed else ""
    if not event.hit:
        return f"{firer} {how} {event.weapon} at {target}{aimed}: a miss"
    return (
        f"{firer} {how} {event.weapon} at {target}{aimed}: a hit, Attack Factor {event.attack_factor} "
        f"against Defence Factor {event.defence}"
    )


def _wounded(event: facts.Wounded, before: Battlefield) -> str:
    name = _name(before, event.figure)
    wounds = f"{event.wounds} wound{'s' * (event.wounds != 1)}"
    by = f" from {_name(before, event.by)}" if event.by else ""
    if event.dead:
        return f"{name} takes {wounds}{by} and is dead"
    left = before.figures[event.figure].left - event.wounds
    return f"{name} takes {wounds}{by}; {left} more would kill"


def _fought(event: facts.Fought, before: Battlefield) -> str:
    one, other = _name(before, event.one), _name(before, event.other)
    one = f"{one}'s {before.figures[event.one].mount.replace('_', ' ')}" if event.mount else one
    totals = f"{one} {event.one_total}, {other} {event.other_total}"
    if not event.loser:
        ahead = one if event.one_total > event.other_total else other
        return f"{totals}: {f'{ahead} {event.result}' if event.result != 'draw' else 'a draw'}"
    return f"{totals}: {one if event.loser == event.one else other} is {event.result}"


def _mood(event: facts.MoodSet, before: Battlefield) -> str:
    name = _name(before, event.figure)
    if not event.letter:
        return f"{name} is himself again"
    long = "until rallied" if not event.until else f"in turn {event.since}"
    return f"{name} {event.result} ({event.letter}) {long}"


def _engaged(event: facts.EngagementsSet, before: Battlefield) -> str:
    if not event.pairs:
        return "nobody is in hand-to-hand"
    return "in hand-to-hand: " + "; ".join(f"{_name(before, a)} and {_name(before, b)}" for a, b in event.pairs)


def _sky(event: facts.SkyChanged, before: Battlefield) -> str:
    return f"weather: {', '.join(word.replace('_', ' ') for word in event.weather) or 'clear'}; light: {event.light}"


def _charge_ended(event: facts.ChargeEnded, before: Battlefield) -> str:
    name, target = _name(before, event.figure), _name(before, event.target)
    if event.contact:
        return f"{name}'s charge strikes {target}"
    return f"{name}'s charge does not reach {target}" + (f": {event.reason}" if event.reason else "")


def _figure(tell: Callable[[Any], str]) -> Caption:
    """A caption that begins with the figure of the fact."""
    return lambda event, before: f"{_name(before, event.figure)} {tell(event)}"


CAPTIONS: Mapping[type[Event], Caption] = {
    facts.FieldLaid: lambda event, before: (
        f"a field of {cm(event.width)} by {cm(event.depth)} cm"
        + (f", {event.turn_limit} turns" if event.turn_limit else "")
    ),
    facts.AreaLaid: lambda event, before: f"{event.area.id}: {(event.area.row or 'ground').replace('_', ' ')}",
    facts.BarrierLaid: lambda event, before: f"{event.barrier.id}: a barrier",
    facts.FireLit: lambda event, before: f"{event.fire.id} burns at {spot(event.fire.place)}",
    facts.ThingPlaced: lambda event, before: f"{event.name} lies at {spot(event.place)}",
    facts.SideSet: lambda event, before: f"the edge of {event.seat}: {event.edge or 'none'}",
    facts.FigureSet: _set,
    facts.SkyChanged: _sky,
    facts.PhaseReached: lambda event, before: PHASES.get(event.phase, event.phase),
    facts.ChargeDeclared: lambda event, before: (
        f"{_name(before, event.figure)} will charge {_name(before, event.target)}"
    ),
    facts.AimBegun: lambda event, before: (
        f"{_name(before, event.figure)} aims {event.weapon} at {_name(before, event.target)}"
    ),
    facts.AimLost: _figure(lambda event: f"loses the aimed shot: {event.reason}"),
    facts.ChoiceDue: lambda event, before: (
        f"to choose next, fight on or disengage: {', '.join(_name(before, each) for each in event.figures)}"
    ),
    facts.FightChosen: _figure(lambda event: "fights on" if event.choice == "on" else "breaks off"),
    facts.Moved: _moved,
    facts.ActionTaken: _action,
    facts.ThingWeighed: lambda event, before: f"{_thing(before, event.thing)} is {event.weight}",
    facts.ThingTaken: lambda event, before: (
        f"{_name(before, event.figure)} takes up {_thing(before, event.thing)}" + (", a heavy load" * event.heavy)
    ),
    facts.ThingDropped: lambda event, before: f"{_name(before, event.figure)} lays down {_thing(before, event.thing)}",
    facts.ArmPicked: lambda event, before: (
        f"{_name(before, event.figure)} picks up {_thing(before, event.thing)} as a weapon"
    ),
    facts.DoorChanged: lambda event, before: f"{event.barrier} is {event.door} now",
    facts.WeaponPassed: lambda event, before: (
        f"{_name(before, event.taker)} takes {event.weapon} from "
        + ("the body of " * event.from_body)
        + _name(before, event.giver)
    ),
    facts.ChargeEnded: _charge_ended,
    facts.LeftField: _figure(
        lambda event: f"{'flees' if event.routed else 'goes'} off the {event.edge} edge of the table"
    ),
    facts.EngagementsSet: _engaged,
    facts.ShotFired: _shot,
    facts.ShotStrayed: lambda event, before: (
        f"the shot of {_name(before, event.figure)} strays and strikes {_name(before, event.struck)}"
    ),
    facts.HurtHeld: lambda event, before: (
        f"{_name(before, event.hurt.figure)} is hit, and will feel it when all fire is over"
    ),
    facts.Wounded: _wounded,
    facts.MountLost: lambda event, before: (
        f"{_name(before, event.figure)}'s {before.figures[event.figure].mount.replace('_', ' ')} is out of action"
    ),
    facts.MountTaken: lambda event, before: (
        f"{_name(before, event.figure)} mounts the {before.loose[event.of].mount.replace('_', ' ')} "
        f"of {_name(before, event.of)}"
    ),
    facts.RiderThrown: _figure(
        lambda event: (
            f"is thrown from the saddle: {event.result}" + (f", out until turn {event.lost_until} is over")
            if event.lost_until and not event.dead
            else f"is thrown from the saddle: {event.result}" + (" — dead" * event.dead)
        )
    ),
    facts.Fought: _fought,
    facts.PushIgnored: lambda event, before: (
        f"the push back of {'the mount of ' * event.mount}{_name(before, event.figure)} does not count"
    ),
    facts.PushedBack: _figure(lambda event: f"is pushed back to {spot(event.to)}"),
    facts.KnockedDown: _figure(lambda event: "is struck to the ground"),
    facts.MoraleTested: _figure(lambda event: f"tests morale ({event.cause}): {event.letter}, {event.result}"),
    facts.MoodSet: _mood,
    facts.MountJudged: lambda event, before: (
        f"{_name(before, event.figure)}'s mount {'fights' if event.fights else 'does not fight'} beside its rider"
    ),
    facts.EdgeJudged: _figure(lambda event: f"flees to the {event.edge} edge"),
    facts.LeaderJudged: _figure(lambda event: "counts as dead" if event.dead else "counts as absent, not dead"),
    facts.DesertionRolled: _figure(
        lambda event: "takes up another trade and is lost for good" if event.lost else "comes back to the ranks"
    ),
    facts.CareerCounted: _figure(
        lambda event: (
            f"{'does not count this battle (R)' if event.mark == 'R' else 'counts this battle'}: "
            f"{event.battles} in all, {event.status}"
        )
    ),
}
"""How each fact is told."""
