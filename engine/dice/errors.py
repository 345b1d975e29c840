"""What can be wrong with the dice of a battle before a roll is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import BattleError


class DiceRefused(BattleError, ValueError):
    """Something about the dice cannot be done; the message says why."""

    code = "dice/refused"


class DiceKeeperMissing(BattleError, LookupError):
    """The root of the dice is not in this file: nobody can roll here until a ruling commits to another."""

    code = "dice/root-missing"

    def __init__(self, battle: str) -> None:
        super().__init__(
            f"the dice secrets of {battle} are not in this file: take it over with its vault, "
            "or let the referee commit to new dice"
        )
        self.battle = battle


class RootBroken(BattleError, ValueError):
    """The root in the vault is not the one that the battle committed to. Nothing was recorded."""

    code = "dice/root-broken"

    def __init__(self) -> None:
        super().__init__("the vault of this file is damaged: its dice secrets do not fit their commitment")


class SeedsAwaited(BattleError, RuntimeError):
    """The dice have another keeper, and seats have not given new client seeds yet."""

    code = "dice/seeds-awaited"

    def __init__(self, seats: Sequence[str]) -> None:
        super().__init__(f"the dice have another keeper: {', '.join(seats)} must give a new client seed first")
        self.seats = tuple(seats)
