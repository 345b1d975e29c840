"""What a table agrees on about its dice: whether they may be set aside, and public beacons to be stirred in."""

from __future__ import annotations

from typing import Literal

from engine.battle import Battle
from engine.errors import BattleError, NotAuthorized
from events.dice.beacons import KNOWN, value_of
from events.facts import BeaconAdded, BeaconNamed, DicePolicyDeclared
from events.store.record import Appended
from events.times import rfc3339
from projections.battle_state import REFEREE


class BeaconRefused(BattleError, ValueError):
    """A round of a public beacon cannot be named, or what was pasted is not a round that was named."""

    code = "dice/beacon"


def declare_policy(
    battle: Battle, seat: str, fudging: Literal["forbidden", "allowed"], why: str = "", *, request: str | None = None
) -> Appended:
    """Put on record whether dice may be set aside at this table. Only the referee says so: `NotAuthorized`.

    It changes what players may expect, not what can be done unseen: setting dice aside is a ruling either way.
    """
    if seat != REFEREE:
        raise NotAuthorized(f"whether dice may be set aside is for the {REFEREE} to say, not for {seat}")
    event = DicePolicyDeclared(fudging, why)
    return battle.say(seat, f"policy {fudging}\n{why}", event, request=request)


def name_beacon(battle: Battle, seat: str, beacon: str, number: int, *, request: str | None = None) -> Appended:
    """Agree on a round of a public beacon that lies in the future. Raises `BeaconRefused` for one that is out already.

    Of a beacon that is not in `events.dice.beacons.KNOWN` nobody here can tell when a round comes out.
    """
    if not beacon or not beacon.isprintable() or " " in beacon or number < 1:
        raise BeaconRefused(
            f"{beacon!r} {number}: name a beacon by one word and a round from 1, as in quicknet 12345678"
        )
    known = KNOWN.get(beacon)
    if known is not None and known.out_at(number) <= battle.clock():
        out = rfc3339(known.out_at(number))[:19]
        raise BeaconRefused(f"round {number} of {beacon} is out since {out}Z: name one that nobody can know yet")
    return battle.say(seat, f"beacon {beacon} {number}", BeaconNamed(beacon, number), request=request)


def add_beacon(
    battle: Battle,
    seat: str,
    beacon: str,
    number: int,
    signature: str,
    randomness: str = "",
    *,
    request: str | None = None,
) -> Appended:
    """Stir a round that was named into every later roll. `randomness`, if given, must be the signature's SHA-256.

    Raises `BeaconRefused`. Whether the signature is the beacon's own is for others to look up; the record keeps it.
    """
    battle.refresh()
    signature = signature.strip().lower()
    if BeaconNamed(beacon, number) not in battle.state.table.beacons:
        waited = ", ".join(f"{each.beacon} {each.round}" for each in battle.state.table.beacons) or "none"
        raise BeaconRefused(f"round {number} of {beacon} was not named beforehand; rounds waited for: {waited}")
    if not signature or len(signature) % 2 or set(signature) - set("0123456789abcdef"):
        raise BeaconRefused("a signature is an even number of hex digits, as the beacon's page shows it")
    if randomness and randomness.strip().lower() != value_of(signature):
        raise BeaconRefused(f"the SHA-256 of this signature is {value_of(signature)}, not the randomness {randomness}")
    event = BeaconAdded(beacon, number, signature)
    return battle.say(seat, f"beacon {beacon} {number} {signature}", event, request=request)
