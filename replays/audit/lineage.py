"""Dice algorithm 2: one root a battle, from which the dice of every line follow. Nothing that a keeper can choose.

The *lineage* of a line says where it stands in the tree of the battle and nothing else: `main`, then for each fork a
slash, the seq after which it leaves, `c` for a line that a ruling opened or `w` for a what-if, and which of that kind
it is there, counted from 1 (`main/42c1/57w2`). Opening what-ifs moves no correction's lineage.

    root commitment = SHA-256("wardiary-dice/2 root\\n" root-in-hex)
    chain root      = HMAC-SHA256(root, netstrings of "wardiary-dice/2 chain", lineage, first turn)
    message         = netstrings of "wardiary-dice/2", battle, lineage, content, key, then seat and seed of each client
                      seed in force when the act opened, by seat, then the value of the act's beacon round, if any
    content         = SHA-256(netstrings of "wardiary-orders/2", the act, then seat, text and salt of each order)

A chain of turn secrets is made from its root as in algorithm 1 (see `replays.audit.proof`). Whoever opens a line, takes
a battle over or tries a ruling on a copy gets the same faces every time. The salts of sealed orders that are revealed
for an act are part of its content: a player who chose one contributes what the keeper could not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from events.store.chain import field
from events.store.record import Line
from replays.audit.proof import keyed_digest

ALGORITHM_2 = "hmac-sha256/2"


def lineage_of(lines: Sequence[Line], name: str) -> str:
    """Return the lineage of a line of a battle; `lines` are all of them, oldest first. Raises LookupError.

    >>> main = Line(1, "ford", "main", None, 0, True, "", 0, "")
    >>> fork = Line(2, "ford", "main.2", "main", 42, True, "", 0, "")
    >>> lineage_of([main, fork], "main.2")
    'main/42c1'
    """
    known = {line.name: line for line in lines}
    line = known[name]
    if line.parent is None:
        return line.name
    owner = _owner(known, line)
    same = [
        each.name
        for each in lines
        if each.parent is not None
        and each.after == line.after
        and each.played == line.played
        and _owner(known, each) == owner
    ]
    kind = "c" if line.played else "w"
    return f"{lineage_of(lines, owner)}/{line.after}{kind}{same.index(name) + 1}"


def next_lineage(lines: Sequence[Line], parent: str, after: int, *, played: bool) -> str:
    """Return the lineage that a line would have which leaves `parent` after an event now."""
    coming = Line(0, "", "\0", parent, after, played, "", 0, "")
    return lineage_of([*lines, coming], coming.name)


def _owner(known: Mapping[str, Line], fork: Line) -> str:
    """Return the name of the line that holds the event after which a line forks: its parent or one further up."""
    line = known[str(fork.parent)]
    while line.parent is not None and fork.after <= line.after:
        line = known[line.parent]
    return line.name


def root_commitment(root: bytes) -> str:
    """Return the public commitment to the root of a battle's dice, in hex."""
    return sha256(f"wardiary-dice/2 root\n{root.hex()}".encode()).hexdigest()


def chain_root(root: bytes, lineage: str, first_turn: int) -> bytes:
    """Return the last secret of the chain of turn secrets of a line from a turn on."""
    return keyed_digest(root, b"".join(map(field, ("wardiary-dice/2 chain", lineage, str(first_turn)))))


def content_of_orders(act: str, orders: Iterable[tuple[str, str, str]]) -> str:
    """Return the digest of what an act resolves: seat, text and salt of each order, whatever order they came in.

    An order that was never sealed has an empty salt.
    """
    parts = [part for order in sorted(orders) for part in order]
    return sha256(b"".join(map(field, ("wardiary-orders/2", act, *parts)))).hexdigest()


def message_2(battle: str, lineage: str, content: str, key: str, seeds: Mapping[str, str], beacon: str = "") -> bytes:
    """Return what is hashed with a turn's secret for one roll."""
    parts = ["wardiary-dice/2", battle, lineage, content, key]
    for seat in sorted(seeds):
        parts += [seat, seeds[seat]]
    return b"".join(map(field, (*parts, beacon) if beacon else parts))
