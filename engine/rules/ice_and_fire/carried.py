"""What an order brings along to the tests that carry it out: bonus, penalties, a guiding eye (IF-023 to IF-032)."""

from __future__ import annotations

import msgspec

from engine.rules.ice_and_fire.calls import Share, added, penalty_dice
from engine.rules.ice_and_fire.condition import disorder
from projections.ice_and_fire.state import Unit


class Carried(msgspec.Struct, frozen=True, gc=False):
    """How an order reached a unit. A standing order, or none, brings nothing along.

    `bonus` is a flat number, `blurred` costs a die, `new_chain` another, one in all however many men are new (IF-017,
    AMB-03). `guided`: a commander who sees over the wall directs the shots (IF-248). `sure`: the order was a success,
    not carried out despite a failure (AMB-06a).
    """

    bonus: int = 0
    blurred: bool = False
    new_chain: bool = False
    guided: bool = False
    sure: bool = False
    ordered: bool = False


ALONE = Carried()
"""No order: the unit acts by itself."""


def order_shares(unit: Unit, carried: Carried, *, charging: bool = False) -> tuple[Share, ...]:
    """What every test that carries out an order gains and loses, by order, chain, disorder and hero's deed (IF-032)."""
    shares = list(disorder(unit))
    if carried.bonus:
        shares.append(added(carried.bonus, "order given well", "IF-023"))
    if carried.blurred:
        shares.append(penalty_dice(1, "order half understood", "IF-024"))
    if carried.new_chain:
        shares.append(penalty_dice(1, "new man in the chain", "IF-017"))
    spirit = unit.spirit
    if spirit is not None and (not spirit.only or charging):
        if spirit.bonus:
            shares.append(added(spirit.bonus, "inspired", "IF-052"))
        if spirit.penalty:
            shares.append(penalty_dice(spirit.penalty, "ill inspired", "IF-052"))
    return tuple(shares)
