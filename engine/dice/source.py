"""The engine's own answers: dice drawn from the turn's secret, rulings by default when the referee is absent."""

from __future__ import annotations

import secrets as system
from collections.abc import Callable

from engine.driver import Question
from engine.errors import BattleClosed
from events.facts import DiceCommitted, DiceRolled, Event, RollCalled, RulingGiven, RulingRequested, SecretRevealed
from projections.battle_state import State
from projections.dice.rolls import dice_of, read_roll
from replays.audit.proof import ALGORITHM, TURNS, commitment_of, faces, roll_message, secret_of


def new_commitment(first_turn: int, stream: str = "") -> tuple[DiceCommitted, str]:
    """Draw a new chain of secrets; return the public commitment and what the vault keeps (`commitment:root`).

    Lines of one `stream` share their dice; that is for what-if lines alone.
    """
    root = system.token_bytes(32)
    commitment = commitment_of(root)
    return DiceCommitted(ALGORITHM, commitment, first_turn, TURNS, stream), f"{commitment}:{root.hex()}"


class SeededDice:
    """A source that draws seeded dice for one line of a battle, unless the seat enters its own.

    `unlock` returns what the vault keeps behind a commitment, or None.
    """

    def __init__(self, unlock: Callable[[str], str | None], battle: str, line: str) -> None:
        self._unlock = unlock
        self._battle = battle
        self._line = line
        self._secrets: dict[tuple[str, int], bytes] = {}

    def answer(self, question: Question, state: State) -> Event | None:
        """Draw a roll, or give a default ruling; None if a person must answer."""
        if isinstance(question, RulingRequested):
            absent = state.table.referee == "absent"
            return RulingGiven(question.key, question.default, by_default=True) if absent else None
        return None if question.by_hand else self.draw(question, state)

    def draw(self, call: RollCalled, state: State) -> DiceRolled:
        """Draw a roll from the secret of the running turn. Raises `BattleClosed` if the secret is not here."""
        table = state.table
        text = roll_message(self._battle, self._line, table, call.key)
        shown = faces(self._secret(table.turn, state), text, dice_of(call.dice).faces())
        reading = read_roll(call, shown)
        return DiceRolled(call.key, shown, reading.total, reading.success, "seeded", table.turn, ALGORITHM)

    def reveal(self, turn: int, state: State) -> SecretRevealed | None:
        """Return the secret of a finished turn, if the running commitment covers it and its secret is here."""
        committed = state.table.committed
        if committed is None or turn < committed.first_turn or self._unlock(committed.commitment) is None:
            return None
        return SecretRevealed(turn, self._secret(turn, state).hex())

    def _secret(self, turn: int, state: State) -> bytes:
        committed = state.table.committed
        root = self._unlock(committed.commitment) if committed is not None else None
        if committed is None or root is None:
            raise BattleClosed("the dice secrets of this battle are not in this file: it can be read, not rolled for")
        key = (committed.commitment, turn)
        if key not in self._secrets:
            self._secrets[key] = secret_of(bytes.fromhex(root), turn - committed.first_turn + 1, committed.turns)
        return self._secrets[key]
