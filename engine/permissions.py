"""Who may give which command: one table for all of them.

`engine.corrections.permission` says who may correct what under the policy of a battle; the rules say whose a piece or a
roll is, where an order or a roll names one. Everything else is here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from engine.battle import Battle
from engine.errors import NotAuthorized
from events.commands import (
    AddBeacon,
    AddBookmark,
    AddClientSeed,
    AddNote,
    AddPrivateNote,
    Adopt,
    AdoptEdition,
    Amend,
    AnswerConsent,
    AnswerRuling,
    AskConsent,
    Autoplay,
    CallForOrders,
    Command,
    DeclareDicePolicy,
    EndSchedule,
    EnterDice,
    ExtendDeadline,
    FreezeCalendar,
    LeaveStandingOrders,
    LetStand,
    MarkOrders,
    MarkPosted,
    NameBeacon,
    OpenBattle,
    OpenBranch,
    Proceed,
    RecommitDice,
    RevealDiceRoot,
    RevealOrder,
    SettleDeferred,
    StateFact,
    Strike,
    SubmitDigest,
    SubmitOrders,
    TakeSeat,
    Tick,
    Undo,
    UnfreezeCalendar,
    WithdrawOrders,
)
from projections.battle_state import ENGINE, REFEREE

Who: TypeAlias = Literal["everybody", "referee", "referee if present", "policy", "clock"]
"""Who may give a command.

"everybody" has a seat or is the referee, and acts for what is theirs. "referee if present": the referee, or every seat
where the battle has none. "policy": the battle's option `corrections` decides. "clock": everybody, and the clock.
"""

WHO_MAY: Mapping[type[Command], Who] = {
    OpenBattle: "referee",
    SubmitOrders: "everybody",
    SubmitDigest: "everybody",
    RevealOrder: "everybody",
    WithdrawOrders: "everybody",
    LeaveStandingOrders: "everybody",
    MarkOrders: "everybody",
    Autoplay: "everybody",
    Proceed: "referee if present",
    EnterDice: "everybody",
    AnswerRuling: "referee",
    StateFact: "referee",
    AddNote: "everybody",
    AddPrivateNote: "everybody",
    AddClientSeed: "everybody",
    TakeSeat: "referee",
    AddBookmark: "everybody",
    OpenBranch: "everybody",
    MarkPosted: "referee",
    DeclareDicePolicy: "referee",
    RecommitDice: "referee",
    RevealDiceRoot: "referee",
    NameBeacon: "everybody",
    AddBeacon: "everybody",
    CallForOrders: "referee",
    EndSchedule: "referee",
    ExtendDeadline: "referee",
    FreezeCalendar: "referee",
    UnfreezeCalendar: "referee",
    Tick: "clock",
    Undo: "policy",
    Strike: "policy",
    Amend: "policy",
    LetStand: "policy",
    Adopt: "referee",
    SettleDeferred: "referee",
    AdoptEdition: "referee",
    AskConsent: "everybody",
    AnswerConsent: "everybody",
}
"""Every command with who may give it."""


def check_may(battle: Battle, command: Command) -> None:
    """Check that a seat may give a command of this kind here. Raises `SeatUnknown`, `NotAuthorized`.

    What depends on the policy for corrections is checked where the correction is worked out.
    """
    who, seat = WHO_MAY[type(command)], command.seat
    if who == "clock" and seat == ENGINE:
        return
    battle.check_seat(seat)
    if seat == REFEREE:
        return
    if who == "referee" or (who == "referee if present" and battle.state.table.referee != "absent"):
        verb = str(command.__struct_config__.tag).partition(".")[2].replace("_", " ")
        raise NotAuthorized(f"only the referee may {verb}, not {seat}")
