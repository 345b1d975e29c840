"""The notation of orders, for any rule set: typed Structs in, a text that people can write and read out.

A rule set declares its orders as Structs (`engine.orders.forms`); reading, writing, help text and digest follow from
their fields. What an order is allowed to do is not decided here.
"""

from engine.orders.forms import After, AnyOrder, Grammar, Order, RefereeOrder, SideOrder, describe, given_by
from engine.orders.kinds import (
    Centimetres,
    Dice,
    DiceText,
    Flag,
    FreeText,
    HexNumber,
    Kind,
    Length,
    Number,
    Piece,
    PieceName,
    Place,
    Text,
    Word,
)
from engine.orders.names import Vocabulary
from engine.orders.reading import NumberedOrder, read_order, read_sheet
from engine.orders.recorded import read_recorded
from engine.orders.writing import digest, write_order, write_sheet

__all__ = [
    "After",
    "AnyOrder",
    "Centimetres",
    "Dice",
    "DiceText",
    "Flag",
    "FreeText",
    "Grammar",
    "HexNumber",
    "Kind",
    "Length",
    "Number",
    "NumberedOrder",
    "Order",
    "Piece",
    "PieceName",
    "Place",
    "RefereeOrder",
    "SideOrder",
    "Text",
    "Vocabulary",
    "Word",
    "describe",
    "digest",
    "given_by",
    "read_order",
    "read_recorded",
    "read_sheet",
    "write_order",
    "write_sheet",
]
