"""The engine's own answers: dice drawn from the turn's secret, rulings by default when the referee is absent."""

from __future__ import annotations

import secrets as system
from collections.abc import Callable

from engine.dice.errors import DiceKeeperMissing, RootBroken
from engine.driver import Question
from engine.errors import BattleClosed
from events.facts import DiceCommitted, DiceRolled, Event, RollCalled, RulingGiven, RulingRequested, SecretRevealed
from projections.battle_state import State
from projections.dice.rolls import dice_of, read_roll
from replays.audit.algorithms import KNOWN_ALGORITHMS, roll_message
from replays.audit.lineage import ALGORITHM_2, chain_root, root_commitment
from replays.audit.proof import ALGORITHM, TURNS, commitment_of, faces, secret_of


def new_commitment(first_turn: int, stream: str = "") -> tuple[DiceCommitted, str]:
    """Draw a new chain of secrets; return the public commitment and what the vault keeps (`commitment:root`).

    Lines of one `stream` share their dice; that is for what-if lines alone.
    """
    root = system.token_bytes(32)
    commitment = commitment_of(root)
    return DiceCommitted(ALGORITHM, commitment, first_turn, TURNS, stream), f"{commitment}:{root.hex()}"


def new_root() -> bytes:
    """Draw the root of a battle's dice: 32 random bytes."""
    return system.token_bytes(32)


def first_commitment(root: bytes, lineage: str = "main", turn: int = 1) -> tuple[DiceCommitted, str]:
    """Commit to the root of a battle's dice (32 random bytes); return the fact and what the vault keeps.

    >>> event, kept = first_commitment(bytes(32))
    >>> kept == f"{event.root}:{bytes(32).hex()}"
    True
    """
    committed = root_commitment(root)
    return commitment_on(root.hex(), committed, lineage, max(1, turn)), f"{committed}:{root.hex()}"


def commitment_on(root: str, committed: str, lineage: str, first_turn: int, stream: str = "") -> DiceCommitted:
    """Commit to the dice of a line, which follow from the battle's root. Raises `RootBroken`."""
    chain = chain_root(_checked(root, committed), lineage, first_turn)
    return DiceCommitted(
        ALGORITHM_2, commitment_of(chain), first_turn, TURNS, stream, root=committed, lineage=lineage
    )  # fmt: skip


def _checked(root: str, committed: str) -> bytes:
    """Return a root from the vault if it is the one that was committed to. Raises `RootBroken`."""
    try:
        raw = bytes.fromhex(root)
    except ValueError as error:
        raise RootBroken from error
    if root_commitment(raw) != committed:
        raise RootBroken
    return raw


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
        """Draw a roll from the secret of the running turn. Raises `DiceKeeperMissing` if the secret is not here."""
        table = state.table
        text = roll_message(self._battle, self._line, table, call.key)
        shown = faces(self._secret(table.turn, state), text, dice_of(call.dice).faces())
        reading = read_roll(call, shown)
        return DiceRolled(call.key, shown, reading.total, reading.success, "seeded", table.turn, self._algorithm(state))

    def _algorithm(self, state: State) -> str:
        committed = state.table.committed
        assert committed is not None  # or there would be no secret
        if committed.algorithm not in KNOWN_ALGORITHMS:
            raise BattleClosed(f"this version cannot roll by {committed.algorithm!r}: use a newer one")
        return committed.algorithm

    def reveal(self, turn: int, state: State) -> SecretRevealed | None:
        """Return the secret of a finished turn, if the running commitment covers it and its secret is here."""
        committed = state.table.committed
        if committed is None or turn < committed.first_turn:
            return None
        if self._unlock(committed.root or committed.commitment) is None:
            return None
        return SecretRevealed(turn, self._secret(turn, state).hex())

    def _secret(self, turn: int, state: State) -> bytes:
        """Return the secret of a turn. Raises `DiceKeeperMissing`, or `RootBroken` if it does not fit."""
        committed = state.table.committed
        root = self._unlock(committed.root or committed.commitment) if committed is not None else None
        if committed is None or root is None:
            raise DiceKeeperMissing(self._battle)
        key = (committed.commitment, turn)
        if key not in self._secrets:
            self._secrets[key] = secret_of(_chain(root, committed), turn - committed.first_turn + 1, committed.turns)
        return self._secrets[key]


def _chain(root: str, committed: DiceCommitted) -> bytes:
    """Return the last secret of the chain that was committed to. Raises `RootBroken`."""
    if committed.root:
        chain = chain_root(_checked(root, committed.root), committed.lineage, committed.first_turn)
    else:
        try:
            chain = bytes.fromhex(root)
        except ValueError as error:
            raise RootBroken from error
    if commitment_of(chain, committed.turns) != committed.commitment:
        raise RootBroken
    return chain
