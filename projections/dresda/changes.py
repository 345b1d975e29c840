"""Small changes to the state that several facts of Dresda share. Pure."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from events.dresda import Arm
from projections.dresda.state import Battlefield, Figure


def with_figure(state: Battlefield, figure: str, **changes: Any) -> Battlefield:
    """The state with one figure changed."""
    return replace(state, figures={**state.figures, figure: replace(state.figures[figure], **changes)})


def slung(figure: Figure) -> bool:
    """A shield that was slung at any time is slung all turn (DR-044, DA-12a)."""
    return figure.slung or figure.slings_now


def laid_down(state: Battlefield, figure: str) -> Battlefield:
    """What a figure carried lies where it stands."""
    thing = state.things.get(state.figures[figure].carrying)
    if thing is None:
        return state
    lying = replace(thing, bearer="", place=state.figures[figure].place)
    return replace(state, things={**state.things, thing.id: lying})


def without(arms: tuple[Arm, ...], arm: Arm) -> tuple[Arm, ...]:
    """The arms less one of that kind."""
    at = arms.index(arm)
    return (*arms[:at], *arms[at + 1 :])
