"""The names and words that an order may use now."""

from __future__ import annotations

from engine.orders import Vocabulary
from engine.rules.dresda.calls import Table
from engine.rules.dresda.orders import ACTIONS, BARRIERS, GOALS, THINGS, WEAPONS, WEATHER
from engine.rules.dresda.weather import CLEAR, WEATHERS


def vocabulary(table: Table) -> Vocabulary:
    """Every figure, weapon on the field, action of the list, thing and body, side, and word for the weather."""
    state = table.state
    bodies = [name for name, figure in state.figures.items() if figure.gone == "dead"]
    return Vocabulary(
        {name: figure.who.name for name, figure in sorted(state.figures.items())},
        {
            WEAPONS: state.weapons,
            ACTIONS: tuple(table.tables.actions),
            THINGS: tuple(sorted([*state.things, *bodies])),
            GOALS: tuple(sorted([*state.things, *(barrier.id for barrier in state.barriers)])),
            BARRIERS: tuple(barrier.id for barrier in state.barriers),
            WEATHER: (CLEAR, *WEATHERS),
            "sides": tuple(seat.id for seat in state.table.seats),
        },
    )
