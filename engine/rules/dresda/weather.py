"""Weather and light: which rows they bring, and who changes them (DG-11)."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Final, NamedTuple

from engine.rules.dresda.situation import Situation
from engine.rules.rule_set import Yielded, ask_all
from events.dresda import SkyChanged
from events.facts import RulingRequested
from projections.dresda.state import Battlefield


class Rows(NamedTuple):
    """The rows that a word brings: one that slows, one that spoils fire; empty for none."""

    movement: str = ""
    firing: str = ""


CLEAR: Final = "clear"
WEATHERS: Final[Mapping[str, Rows]] = {
    "rain": Rows("rain_or_mud", "rain"),
    "mud": Rows("rain_or_mud"),
    "snow": Rows("snow"),
    "deep_snow": Rows("deep_snow"),
    "ice": Rows("ice"),
    "fog": Rows("fog", "fog"),
    "strong_wind": Rows("", "strong_wind"),
}
"""Words for the weather. Several at once all count (DA-24)."""

LIGHTS: Final[Mapping[str, Rows]] = {
    "day": Rows(),
    "dusk": Rows("", "dusk_or_dawn"),
    "night": Rows("night", "night"),
}
"""Words for the light. At night a lit target has a row of its own (DR-056)."""

UNCHANGED: Final = "unchanged"


def movement_rows(state: Battlefield) -> list[str]:
    """The rows of weather and light that slow a move (DR-016)."""
    rows = [WEATHERS[word].movement for word in state.weather] + [LIGHTS[state.light].movement]
    return [row for row in dict.fromkeys(rows) if row]


def firing_rows(state: Battlefield, lit: bool) -> list[str]:
    """The rows of weather and light that spoil fire; they all add, but a lit target replaces the night alone.

    DA-24, DA-24a.
    """
    rows = [WEATHERS[word].firing for word in state.weather] + [LIGHTS[state.light].firing]
    if state.light == "night" and lit:
        rows.append("night_target_lit")
    return [row for row in dict.fromkeys(rows) if row]


def weather_of(words: tuple[str, ...]) -> tuple[str, ...]:
    """Weather words as they are kept: sorted, each once, none for clear."""
    return tuple(sorted({word for word in words if word != CLEAR}))


def ask_for_sky(situation: Situation) -> Generator[Yielded, Any, None]:
    """Ask the referee about next turn's sky, every so many turns as the scenario says. Default: it stays (DG-11)."""
    state = situation.state
    if not state.sky_every or state.turn % state.sky_every:
        return
    key = f"t{state.turn}/sky"
    weather, light = yield from ask_all(
        [
            RulingRequested(
                f"{key}/weather",
                "DG-11",
                "what weather is it from the next turn on?",
                (UNCHANGED, CLEAR, *WEATHERS),
                UNCHANGED,
            ),
            RulingRequested(f"{key}/light", "DG-11", "what light is there?", (UNCHANGED, *LIGHTS), UNCHANGED),
        ]
    )
    if (weather, light) != (UNCHANGED, UNCHANGED):
        yield SkyChanged(
            state.weather if weather == UNCHANGED else weather_of((weather,)),
            state.light if light == UNCHANGED else light,
            "DG-11",
        )
