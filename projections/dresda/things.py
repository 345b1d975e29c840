"""What facts about things, weapons that change hands, and doors do to the state. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from events import dresda as facts
from projections.dresda.changes import laid_down, slung, with_figure, without
from projections.dresda.state import Battlefield, Thing


def placed(state: Battlefield, event: facts.ThingPlaced) -> Battlefield:
    """A thing lies there."""
    return replace(
        state,
        things={**state.things, event.thing: Thing(event.thing, event.name, event.place, event.weight, arm=event.arm)},
        weapons=state.weapons if event.arm is None else tuple(sorted({*state.weapons, event.arm.name})),
    )


def weighed(state: Battlefield, event: facts.ThingWeighed) -> Battlefield:
    """It is settled whether a thing is heavy."""
    thing = replace(state.things[event.thing], weight=event.weight)
    return replace(state, things={**state.things, event.thing: thing})


def taken(state: Battlefield, event: facts.ThingTaken) -> Battlefield:
    """A figure carries a thing or a body."""
    state = with_figure(state, event.figure, carrying=event.thing, burden=event.burden, heavy=event.heavy)
    state = with_figure(state, event.figure, slung=slung(state.figures[event.figure]))
    thing = state.things.get(event.thing)
    if thing is not None:
        state = replace(state, things={**state.things, thing.id: replace(thing, bearer=event.figure)})
    return state


def dropped(state: Battlefield, event: facts.ThingDropped) -> Battlefield:
    """A figure lays down what it carries."""
    return with_figure(laid_down(state, event.figure), event.figure, carrying="", burden="", heavy=False)


def picked(state: Battlefield, event: facts.ArmPicked) -> Battlefield:
    """The thing is a weapon of the figure's from now on, in its hand."""
    arm, figure = state.things[event.thing].arm, state.figures[event.figure]
    assert arm is not None
    things = {name: thing for name, thing in state.things.items() if name != event.thing}
    state = with_figure(replace(state, things=things), event.figure, arms=(*figure.arms, arm), in_hand=arm.name)
    return with_figure(state, event.figure, slung=slung(state.figures[event.figure]))


def door(state: Battlefield, event: facts.DoorChanged) -> Battlefield:
    """A door is as it was left; who bars it is remembered."""
    seat = state.figures[event.figure].who.seat if event.door == "barred" else ""
    return replace(
        state,
        barriers=tuple(
            replace(each, door=event.door, barred_by=seat) if each.id == event.barrier else each
            for each in state.barriers
        ),
    )


def passed(state: Battlefield, event: facts.WeaponPassed) -> Battlefield:
    """A weapon goes from one figure, or from a body, to another."""
    giver = state.figures[event.giver]
    held = giver.stuck if event.from_body else giver.arms
    arm = next(each for each in held if each.name == event.weapon)
    rest = without(held, arm)
    if event.from_body:
        state = with_figure(state, event.giver, stuck=rest)
    else:
        state = with_figure(state, event.giver, arms=rest, in_hand="" if giver.in_hand == arm.name else giver.in_hand)
    return with_figure(state, event.taker, arms=(*state.figures[event.taker].arms, arm))
