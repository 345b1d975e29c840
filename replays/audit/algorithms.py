"""The dice algorithms that this version knows, each by the name that the record gives it.

A record names the algorithm with every commitment and every roll. One that is not known here cannot be checked here,
which is no accusation.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from projections.battle_state import BattleState
from replays.audit.lineage import ALGORITHM_2, content_of_orders, message_2
from replays.audit.proof import ALGORITHM, message

KNOWN_ALGORITHMS = (ALGORITHM, ALGORITHM_2)


def roll_message(battle: str, line: str, table: BattleState, key: str) -> bytes:
    """Return the message of a roll that is called for now, by the algorithm of the commitment in force.

    What-if lines of one `stream` share it, whatever their orders are.
    """
    committed, act = table.committed, table.act
    content = act.content if act is not None else ""
    if committed is not None and committed.algorithm == ALGORITHM_2:
        if committed.stream:
            return message_2(battle, committed.lineage, "", key, {})
        return message_2(battle, committed.lineage, content, key, table.nonces)
    if committed is not None and committed.stream:
        return message(battle, committed.stream, "", key, {})
    return message(battle, line, content, key, table.nonces)


def act_content(name: str, table: BattleState, slots: Sequence[str]) -> str:
    """Return the digest of the orders that an act resolves, by the algorithm of the commitment in force.

    `table` is the state before the act opens, with its sealed orders revealed. The order of arrival does not count.
    """
    taken = [order for order in table.orders if order.slot in slots]
    if table.committed is not None and table.committed.algorithm == ALGORITHM_2:
        return content_of_orders(name, [(order.seat, order.text, order.salt) for order in taken])
    texts = sorted(f"{order.seat} {order.text}" for order in taken)
    return sha256("\n".join([name, *texts]).encode()).hexdigest()
