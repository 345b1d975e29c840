"""What the automatic player does: it strikes with the kind of blow that hurts most."""

from __future__ import annotations

import pytest

from engine.orders import write_order
from tests.rhand.ring import Ring, man


@pytest.mark.parametrize(
    ("weapon", "armor", "blow"),
    [("rapier", "leather", "bob/normal/stab"), ("broadsword", "none", "bob/normal"), ("mace_1h", "mail", "bob/normal")],
)
def test_the_blow_that_hurts_most_is_struck(weapon: str, armor: str, blow: str) -> None:
    """SP-034: a rapier stabs, since its cut does next to nothing."""
    fighters = [
        man("ann", "red", "0505", weapon=weapon, action_time=1),
        man("bob", "blue", "0504", "south", armor=armor),
    ]
    ring = Ring(fighters)
    ring.go("declare")
    (order,) = ring.battle.rules.autoplay(ring.situation, "red")
    assert blow in write_order(order).split()
