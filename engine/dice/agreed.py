"""What a table agrees on about its dice: client seeds, whether dice may be set aside, public beacons."""

from __future__ import annotations

from engine.dice.errors import DiceKeeperMissing, DiceRefused
from engine.dice.source import new_root
from engine.errors import BattleError
from engine.step import StepBuilder
from events.commands import AddBeacon, AddClientSeed, DeclareDicePolicy, NameBeacon, RecommitDice, RevealDiceRoot
from events.dice.beacons import KNOWN, value_of
from events.facts import BeaconAdded, BeaconNamed, DicePolicyDeclared, NonceAdded, RootRevealed
from events.times import rfc3339
from projections.battle_state import ENGINE
from replays.audit.beacon_check import check_round


class BeaconRefused(BattleError, ValueError):
    """A round of a public beacon cannot be named, or what was pasted is not a round that was named."""

    code = "dice/beacon"


def add_client_seed(step: StepBuilder, command: AddClientSeed) -> None:
    """Give a seat's own text to the dice. When it counts, `NonceAdded` says. Raises `InputPending`."""
    step.refuse_waiting()
    step.add(NonceAdded(command.seat, command.seed), command.seat)


def declare_policy(step: StepBuilder, command: DeclareDicePolicy) -> None:
    """Put on record whether dice may be set aside at this table.

    It changes what players may expect, not what can be done unseen: setting dice aside is a ruling either way.
    """
    step.add(DicePolicyDeclared(command.fudging, command.why), command.seat)


def recommit_dice(step: StepBuilder, command: RecommitDice) -> None:
    """Commit to a new root of the dice. Raises `DiceRefused` if the old one is here."""
    seats = [seat.id for seat in step.table.seats]
    unknown = [seat for seat in command.without if seat not in seats]
    if unknown:
        raise DiceRefused(f"no seat {unknown[0]!r} in this battle: there are {', '.join(seats)}")
    step.recommit(command.why, command.without, new_root())


def reveal_root(step: StepBuilder, command: RevealDiceRoot) -> None:
    """Reveal the root of the dice once the battle is over. Raises `DiceRefused`."""
    committed = step.table.committed
    if not step.table.ended:
        raise DiceRefused("the battle goes on: its root would tell every coming roll")
    if committed is None or not committed.root:
        raise DiceRefused("the dice of this battle come from no root: its turns' secrets are out already")
    root = step.unlock(committed.root)
    if root is None:
        raise DiceKeeperMissing(command.battle)
    step.add(RootRevealed(root), ENGINE)


def name_beacon(step: StepBuilder, command: NameBeacon) -> None:
    """Agree on a round of a public beacon that lies in the future. Raises `BeaconRefused` for one that is out already.

    Of a beacon that is not in `events.dice.beacons.KNOWN` nobody here can tell when a round comes out.
    """
    beacon, number = command.beacon, command.round
    if not beacon or not beacon.isprintable() or " " in beacon or number < 1:
        raise BeaconRefused(
            f"{beacon!r} {number}: name a beacon by one word and a round from 1, as in quicknet 12345678"
        )
    known = KNOWN.get(beacon)
    if known is not None and known.out_at(number) <= step.now:
        out = rfc3339(known.out_at(number))[:19]
        raise BeaconRefused(f"round {number} of {beacon} is out since {out}Z: name one that nobody can know yet")
    step.add(BeaconNamed(beacon, number), command.seat)


def add_beacon(step: StepBuilder, command: AddBeacon) -> None:
    """Mix a round that was named into every later roll. `randomness`, if given, must be the signature's SHA-256.

    Raises `BeaconRefused` for a round that is not out yet and, where that can be checked here, for a signature that is
    not the beacon's own. The record keeps the signature, so that everybody can check it.
    """
    beacon, number, randomness = command.beacon, command.round, command.randomness
    signature = command.signature.strip().lower()
    if BeaconNamed(beacon, number) not in step.table.beacons:
        waited = ", ".join(f"{each.beacon} {each.round}" for each in step.table.beacons) or "none"
        raise BeaconRefused(f"round {number} of {beacon} was not named beforehand; rounds waited for: {waited}")
    if not signature or len(signature) % 2 or set(signature) - set("0123456789abcdef"):
        raise BeaconRefused("a signature is an even number of hex digits, as the beacon's page shows it")
    known = KNOWN.get(beacon)
    if known is not None and known.out_at(number) > step.now:
        raise BeaconRefused(
            f"round {number} of {beacon} comes out at {rfc3339(known.out_at(number))[:19]}Z, not before"
        )
    if check_round(beacon, number, signature) == "forged":
        raise BeaconRefused(f"this is not the signature of round {number} of {beacon}: paste it as the beacon gives it")
    if randomness and randomness.strip().lower() != value_of(signature):
        raise BeaconRefused(f"the SHA-256 of this signature is {value_of(signature)}, not the randomness {randomness}")
    step.add(BeaconAdded(beacon, number, signature), command.seat)
