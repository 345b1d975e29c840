"""Commands of a seat about its orders."""

from __future__ import annotations

from typing import Literal, TypeAlias

from events.commands.command import Command

OrdersMark: TypeAlias = Literal["", "provisional", "final"]


class SubmitOrders(Command, frozen=True, kw_only=True, tag="command.submit_orders"):
    """Submit a sheet of orders, one on each line: all of them are taken, or none.

    `phase` is the act that they are for, as far as the sender knows (`t3/move`, or only `t3`); orders for an act that
    has begun are refused. `mark` says whether they may still change. `late` ones are recorded and not used. `salt` is
    the seat's own, where orders are sealed.
    """

    text: str
    phase: str = ""
    mark: OrdersMark = ""
    late: bool = False
    salt: str = ""


class SubmitDigest(Command, frozen=True, kw_only=True, tag="command.submit_digest"):
    """Submit only the digest of an order, SHA-256 of salt, one space and text. `RevealOrder` gives the text later."""

    digest: str


class RevealOrder(Command, frozen=True, kw_only=True, tag="command.reveal_order"):
    """Give the text behind a digest, exactly as it was sealed: salt, one space, order."""

    sealed: str


class WithdrawOrders(Command, frozen=True, kw_only=True, tag="command.withdraw_orders"):
    """Withdraw orders that no act has resolved, those of `pieces`, or all. They stay on record, unused."""

    pieces: tuple[str, ...] = ()


class LeaveStandingOrders(Command, frozen=True, kw_only=True, tag="command.leave_standing_orders"):
    """Leave a sheet that is used for every act for which the seat orders nothing. An empty one ends that."""

    text: str


class MarkOrders(Command, frozen=True, kw_only=True, tag="command.mark_orders"):
    """Say that the seat has finished its orders for the next act, or with `final=False` that it has not."""

    final: bool = True


class Autoplay(Command, frozen=True, kw_only=True, tag="command.autoplay"):
    """Submit the orders that the rule set's simple AI would give for the seat. `act` is the one that they are for."""

    act: str = ""
