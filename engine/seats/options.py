"""Options of every battle about its seats, with their choices, default first."""

from __future__ import annotations

from collections.abc import Mapping

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "orders": ("open", "sealed"),
    "missing_orders": ("nothing", "drill"),
}
"""`orders`: whether the record itself may show an order before its act begins, or only a digest of it.

`missing_orders`: what a seat does that has ordered nothing for an act and left no standing orders: nothing, or the
usual drill of its rule set.
"""
