"""How the toy battle looks: fighters in two rows on a meadow, those at no health down."""

from __future__ import annotations

from events.places import Point
from projections.fold import Fold
from projections.scene import Area, Mark, Scene, Wall, side_of, sides_of
from tests.toy import Toy, toy_fold


def toy_scene(state: Toy) -> Scene:
    marks = []
    for number, (name, seat) in enumerate(sorted(state.seat.items())):
        side = side_of(state, seat)
        health = state.health[name]
        at = Point(150 + 130 * (number % 6), 150 + 300 * side + 40 * (number // 6))
        marks.append(
            Mark(name, name.title(), side, at, 180 * side, 40, 40, "up" if health > 0 else "down", f"health {health}")
        )
    corners = (Point(50, 230), Point(400, 230), Point(400, 330), Point(50, 330))
    return Scene(
        1000,
        600,
        f"{state.table.title}: turn {state.table.turn}",
        sides_of(state),
        (Area("copse", "Hollow copse", corners, "wood"),) if state.seat else (),
        (Wall("dyke", "dyke", (Point(500, 280), Point(900, 320))),) if state.seat else (),
        tuple(marks),
        10,
        "cm",
    )


def drawn_toy() -> Fold:
    fold = toy_fold()
    fold.scene = toy_scene
    return fold
