"""Light and weather over the whole field: what they cost on tests and on the march (B-82, B-83)."""

from __future__ import annotations

from engine.rules.ice_and_fire.calls import Share, added, penalty_dice
from engine.rules.ice_and_fire.situation import Situation

_LIGHTS = {"dim": ("dim light", "dim_dice", "dim_shot_dice"), "dark": ("darkness", "dark_dice", "dark_shot_dice")}
_POINTS = {"heavy_rain": "rain_points", "light_snow": "snow_points", "heavy_snow": "snow_points"}
_SEEN = ("agility", "athletics", "awareness", "fighting", "marksmanship")
_WET = ("fighting", "marksmanship")


def is_dark(situation: Situation) -> bool:
    """Whether it is dark: by the hour, or because snow falls so thickly (B-83)."""
    return situation.state.light == "dark" or situation.state.weather == "heavy_snow"


def weather_shares(situation: Situation, ability: str) -> list[Share]:
    """What light and weather take from a test of an ability.

    Dim light costs a die, darkness two, shots twice as many (B-82); heavy rain and snow 2 off blows and shots (B-83).
    """
    state, number = situation.state, situation.tables.number
    shares = []
    light = "dark" if is_dark(situation) else state.light
    if light in _LIGHTS and ability in _SEEN:
        label, dice, shot_dice = _LIGHTS[light]
        rule = "B-82" if state.light == light else "B-83"
        shares.append(penalty_dice(number(shot_dice if ability == "marksmanship" else dice), label, rule, "found"))
    if state.weather in _POINTS and ability in _WET:
        points = number(_POINTS[state.weather])
        shares.append(added(-points, state.weather.replace("_", " "), "B-83", "found"))
    return shares


def dark_pace(situation: Situation, mm: int) -> int:
    """How far a march leads in this light: in the dark all ground is slow ground, at three quarters (B-82)."""
    return mm * situation.tables.number("dark_speed_pct") // 100 if is_dark(situation) else mm
