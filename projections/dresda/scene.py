"""How a Dresda battle looks: the ground, walls and fires, every figure with what matters about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from projections.dresda.captions import PHASES
from projections.dresda.picture import words
from projections.dresda.state import Battlefield, Figure
from projections.scene import NOBODY, Area, Look, Mark, Scene, Standing, Wall, side_of, sides_of

_CM: Final = 10
_FOOT: Final = (20, 20)
_HORSE: Final = (25, 50)
_SMALL: Final = (12, 12)
"""How wide and deep figures and things are drawn, in millimetres. The rules measure from middle to middle."""

_LOOKS: Final[Mapping[str, Look]] = {
    "road": "road",
    "scrub": "rough",
    "river": "water",
    "stream": "water",
    "deep_water": "water",
    "ice": "water",
    "light_wood": "wood",
    "dense_wood": "wood",
    "soft_ground": "marsh",
    "marsh": "marsh",
    "rain_or_mud": "marsh",
    "broken_rocks": "rough",
    "rubble": "rough",
    "gentle_slope_up": "slope",
    "steep_slope": "slope",
    "stairs": "slope",
    "inside_building": "building",
    "crops_or_bracken": "field",
}

_HARD: Final = "target_hard_cover"


def scene(state: Battlefield) -> Scene:
    """Draw the field as it stands."""
    ended = f"over: {state.table.ended}" if state.table.ended else PHASES.get(state.phase, "").split(":")[0]
    sky = ", ".join(word.replace("_", " ") for word in (state.light, *state.weather))
    return Scene(
        state.width,
        state.depth,
        " — ".join(part for part in (state.table.title, f"turn {state.turn}", ended, sky) if part),
        sides_of(state),
        tuple(Area(each.id, _spaced(each.id), each.outline, _LOOKS.get(each.row, "open")) for each in state.areas),
        tuple(Wall(each.id, _spaced(each.id), each.points, each.cover != _HARD) for each in state.walls),
        tuple(_marks(state)),
        _CM,
        "cm",
    )


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _marks(state: Battlefield) -> Iterator[Mark]:
    for fire in state.fires:
        yield Mark(
            f"fire {fire.id}",
            _spaced(fire.id),
            NOBODY,
            fire.place,
            None,
            *_SMALL,
            note=f"lights {fire.radius // _CM} cm",
        )
    for thing in state.things.values():
        if not thing.bearer:
            yield Mark(f"thing {thing.id}", thing.name, NOBODY, thing.place, None, *_SMALL, note=thing.weight)
    for name, mount in state.loose.items():
        of = f"of {state.figures[name].who.name}, without a rider"
        yield Mark(f"mount {name}", _spaced(mount.mount), NOBODY, mount.place, None, *_HORSE, note=of)
    for _, figure in sorted(state.figures.items()):
        yield _figure(state, figure)
        if figure.mount_place is not None and not figure.mounted and not figure.gone:
            of = f"of {figure.who.name}"
            place = figure.mount_place
            yield Mark(f"mount {figure.id}", _spaced(figure.mount), NOBODY, place, None, *_HORSE, note=of)


def _figure(state: Battlefield, figure: Figure) -> Mark:
    size = _HORSE if figure.mounted else _FOOT
    said = [each for each in words(state, figure) if not each.startswith("faces ")]
    note = "; ".join([f"wounds {figure.wounds}/{figure.who.health}", figure.arm.name, *said])
    return Mark(
        figure.id,
        figure.who.name,
        side_of(state, figure.who.seat),
        figure.place,
        figure.facing,
        *size,
        state=_standing(figure),
        note=note,
    )


def _standing(figure: Figure) -> Standing:
    if figure.gone:
        return "down" if figure.gone == "dead" else "gone"
    return "routing" if figure.routs else "up"
