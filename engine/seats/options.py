"""Options of every battle about its seats, with their choices, default first."""

from __future__ import annotations

from collections.abc import Mapping

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "orders": ("open", "sealed"),
    "missing_orders": ("nothing", "drill"),
    "late_orders": ("taken", "kept"),
}
"""`orders`: whether the record itself may show an order before its act begins, or only a digest of it.

`missing_orders`: what a seat does that has ordered nothing for an act and left no standing orders: nothing, or the
usual drill of its rule set.

`late_orders`: whether a seat's orders still count after the deadline, as long as their act has not begun, or are kept
on record and not used. The referee may always give them in its name.
"""
