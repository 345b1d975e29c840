"""Commands of the calendar: calls for orders, deadlines, and the clock that resolves them."""

from __future__ import annotations

from typing import Literal

from events.commands.command import Command


class CallForOrders(Command, frozen=True, kw_only=True, tag="command.call_for_orders"):
    """Call for orders for the act that comes next, `until` a time as it is typed: "sunday 18:00", "+48h".

    `zone` is the time zone, by default that of the schedule or of the last call. `every` sets a schedule such as
    "daily 18:00"; `until` may then be empty. `scope` says whether the call is for the act or for the rest of the turn.
    With `early` it ends as soon as all seats are ready. `reminders` are seconds before the deadline.
    """

    until: str = ""
    zone: str = ""
    every: str = ""
    scope: Literal["act", "turn"] = "act"
    early: bool = False
    reminders: tuple[int, ...] = ()


class EndSchedule(Command, frozen=True, kw_only=True, tag="command.end_schedule"):
    """End the schedule. A call that is open stays open."""


class ExtendDeadline(Command, frozen=True, kw_only=True, tag="command.extend_deadline"):
    """Move the deadline that is open, `to` a time as it is typed, or by a span such as `+24h`."""

    to: str
    why: str


class FreezeCalendar(Command, frozen=True, kw_only=True, tag="command.freeze_calendar"):
    """Stop the calendar: the clock resolves nothing and calls for nothing. Orders are still taken."""

    why: str


class UnfreezeCalendar(Command, frozen=True, kw_only=True, tag="command.unfreeze_calendar"):
    """Let the calendar go on. `until` is the new deadline; by default a fixed time, or what was left."""

    until: str = ""
    why: str = ""


class Tick(Command, frozen=True, kw_only=True, tag="command.tick"):
    """Do what the clock says: resolve what is due, call for orders where a schedule says so."""
