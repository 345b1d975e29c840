"""The factor of a blow in a fight: who came nearer, who rides, which weapon has its speed in its own dice (SPX-19)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from engine.rules.rhand.impact import factor_of
from events.places import Hex
from projections.rhand.state import Fighter
from tests.rhand.ring import TABLES, Ring, pair

ON = {"impact_multipliers": "on"}
FAR, NEAR = Hex(5, 15), Hex(5, 5)
EIGHT_HEXES = TABLES.multipliers["closing_speed_8_14"].multiplier


def factor(weapon: str = "broadsword", options: dict[str, str] = ON, **changed: Any) -> Fraction:
    """The factor of Ann's normal blow at Bob, who stands still, after she came ten hexes nearer."""
    ring = Ring(pair(), options=options)
    ann, bob = (ring.state.fighters[name] for name in ("ann", "bob"))
    came: dict[str, Any] = {"came_from": FAR, "at": NEAR, **changed}
    attacker: Fighter = replace(ann, **came)
    return factor_of(ring.situation, attacker, replace(bob, at=Hex(5, 4), came_from=Hex(5, 4)), "normal", weapon)


NORMAL = TABLES.strokes["normal"].impact_multiplier


def test_without_the_option_only_the_stroke_counts() -> None:
    assert factor(options={}) == NORMAL


def test_coming_nearer_multiplies_a_blow() -> None:
    assert factor() == NORMAL * EIGHT_HEXES
    assert factor(came_from=NEAR) == NORMAL


@pytest.mark.parametrize("weapon", ["lance_heavy", "spear_long"])
@pytest.mark.parametrize(("fast", "counts"), [(True, False), (False, True)])
def test_a_lance_or_spear_has_its_speed_in_its_own_dice_only_at_the_charge(
    weapon: str, fast: bool, counts: bool
) -> None:
    assert factor(weapon, fast=fast) == NORMAL * (EIGHT_HEXES if counts else 1)


def test_a_fast_attacker_with_a_sword_keeps_the_multiplier() -> None:
    assert factor("broadsword", fast=True) == NORMAL * EIGHT_HEXES


def test_going_away_never_makes_a_blow_weaker() -> None:
    assert factor(came_from=Hex(5, 5), at=Hex(5, 9)) == NORMAL


def test_a_rider_strikes_down_only_at_somebody_on_foot() -> None:
    down = TABLES.multipliers["striking_down"].multiplier
    assert factor(came_from=NEAR, rides="horse") == NORMAL * down
