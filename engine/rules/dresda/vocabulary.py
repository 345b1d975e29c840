"""The names and words that an order may use now."""

from __future__ import annotations

from engine.orders import Vocabulary
from engine.rules.dresda.orders import ACTIONS, BARRIERS, DOORS, GOALS, THINGS, WEAPONS, WEATHER
from engine.rules.dresda.situation import Situation
from engine.rules.dresda.weather import CLEAR, WEATHERS


def vocabulary(situation: Situation) -> Vocabulary:
    """Every figure, weapon on the field, action of the list, thing and body, side, and word for the weather."""
    state = situation.state
    bodies = [name for name, figure in state.figures.items() if figure.gone == "dead"]
    return Vocabulary(
        {name: figure.who.name for name, figure in sorted(state.figures.items())},
        {
            WEAPONS: state.weapons,
            ACTIONS: tuple(situation.tables.actions),
            THINGS: tuple(sorted([*state.things, *bodies])),
            GOALS: tuple(sorted([*state.things, *(barrier.id for barrier in state.barriers)])),
            DOORS: tuple(barrier.id for barrier in state.barriers if barrier.door),
            BARRIERS: tuple(barrier.id for barrier in state.barriers),
            WEATHER: (CLEAR, *WEATHERS),
            "sides": tuple(seat.id for seat in state.table.seats),
        },
    )
