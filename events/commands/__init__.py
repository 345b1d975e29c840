"""What people ask of a battle: one frozen type for each kind of input.

A command says what is wanted, not whether it may be done or what comes of it: `engine.door` decides that. Commands
stand in the room of events because they can be put on record, and given again when a correction plays a battle again.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from events.commands.calendar import (
    CallForOrders,
    EndSchedule,
    ExtendDeadline,
    FreezeCalendar,
    Tick,
    UnfreezeCalendar,
)
from events.commands.command import Command, canonical
from events.commands.corrections import (
    Adopt,
    AdoptEdition,
    Amend,
    AnswerConsent,
    AskConsent,
    LetStand,
    SettleDeferred,
    Strike,
    Undo,
)
from events.commands.orders import (
    Autoplay,
    LeaveStandingOrders,
    MarkOrders,
    RevealOrder,
    SubmitDigest,
    SubmitOrders,
    WithdrawOrders,
)
from events.commands.play import (
    AddBeacon,
    AddBookmark,
    AddClientSeed,
    AddNote,
    AddPrivateNote,
    AnswerRuling,
    DeclareDicePolicy,
    EnterDice,
    MarkPosted,
    NameBeacon,
    OpenBattle,
    OpenBranch,
    Proceed,
    RecommitDice,
    RevealDiceRoot,
    StateFact,
    TakeSeat,
)

AnyCommand: TypeAlias = (
    OpenBattle
    | SubmitOrders
    | SubmitDigest
    | RevealOrder
    | WithdrawOrders
    | LeaveStandingOrders
    | MarkOrders
    | Autoplay
    | Proceed
    | RecommitDice
    | RevealDiceRoot
    | EnterDice
    | AnswerRuling
    | StateFact
    | AddNote
    | AddPrivateNote
    | AddClientSeed
    | TakeSeat
    | AddBookmark
    | OpenBranch
    | MarkPosted
    | DeclareDicePolicy
    | NameBeacon
    | AddBeacon
    | CallForOrders
    | EndSchedule
    | ExtendDeadline
    | FreezeCalendar
    | UnfreezeCalendar
    | Tick
    | Undo
    | Strike
    | Amend
    | LetStand
    | Adopt
    | SettleDeferred
    | AdoptEdition
    | AskConsent
    | AnswerConsent
)
"""Every command."""


def read_command(text: bytes | str) -> AnyCommand:
    """Read a command from JSON, such as its canonical bytes. Raises `msgspec.ValidationError`.

    >>> command = AddNote(battle="ford", line="main", text="rain")
    >>> read_command(canonical(command)) == command
    True
    """
    return msgspec.json.decode(text, type=AnyCommand)


__all__ = [
    "AddBeacon",
    "AddBookmark",
    "AddClientSeed",
    "AddNote",
    "AddPrivateNote",
    "Adopt",
    "AdoptEdition",
    "Amend",
    "AnswerConsent",
    "AnswerRuling",
    "AnyCommand",
    "AskConsent",
    "Autoplay",
    "CallForOrders",
    "Command",
    "DeclareDicePolicy",
    "EndSchedule",
    "EnterDice",
    "ExtendDeadline",
    "FreezeCalendar",
    "LeaveStandingOrders",
    "LetStand",
    "MarkOrders",
    "MarkPosted",
    "NameBeacon",
    "OpenBattle",
    "OpenBranch",
    "Proceed",
    "RecommitDice",
    "RevealDiceRoot",
    "RevealOrder",
    "SettleDeferred",
    "StateFact",
    "Strike",
    "SubmitDigest",
    "SubmitOrders",
    "TakeSeat",
    "Tick",
    "Undo",
    "UnfreezeCalendar",
    "WithdrawOrders",
    "canonical",
    "read_command",
]
