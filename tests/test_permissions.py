"""Who may give which command, in a battle of every policy: asked at the door, for previews too."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import CorrectionNotAllowed, NotAuthorized
from engine.permissions import WHO_MAY
from events.commands import (
    Adopt,
    AdoptEdition,
    Amend,
    AnswerRuling,
    AnyCommand,
    CallForOrders,
    Command,
    DeclareDicePolicy,
    EndSchedule,
    EnterDice,
    ExtendDeadline,
    FreezeCalendar,
    LetStand,
    MarkPosted,
    OpenBattle,
    Proceed,
    RecommitDice,
    RevealDiceRoot,
    SettleDeferred,
    StateFact,
    Strike,
    SubmitOrders,
    TakeSeat,
    Tick,
    Undo,
    UnfreezeCalendar,
)
from events.errors import DiaryError
from events.store.memory import MemoryLog
from tests.calendar_table import SCENARIO
from tests.table import Table, open_battle
from tests.toy import ToyRules

POLICIES = ("referee", "free", "before-dice", "consent")
REFEREES: dict[type[Command], dict[str, Any]] = {
    OpenBattle: {"scenario": "", "battle": "other"},
    Proceed: {},
    AnswerRuling: {"key": "curse/bob", "answer": "yes"},
    StateFact: {"text": "ann: down", "why": "so"},
    TakeSeat: {"taken": "red", "player": "Ann"},
    MarkPosted: {"turn": 1, "board": "phpbb", "viewer": "spectator", "seq": 1, "head": ""},
    DeclareDicePolicy: {"fudging": "allowed"},
    CallForOrders: {"until": "+24h", "zone": "UTC"},
    EndSchedule: {},
    ExtendDeadline: {"to": "+24h", "why": "so"},
    FreezeCalendar: {"why": "so"},
    UnfreezeCalendar: {"why": "so"},
    Adopt: {"why": "so", "other": "what"},
    SettleDeferred: {"number": 1},
    AdoptEdition: {"edition": "2", "why": "so"},
    RecommitDice: {"why": "so"},
    RevealDiceRoot: {},
}


def table(**options: str) -> Table:
    """Orders of red and then blue in a battle with a what-if line."""
    from msgspec.structs import replace

    log = MemoryLog()
    open_battle(log, "b", replace(SCENARIO, options=dict(options)), rules=ToyRules())
    battle = Table(log, "b", ToyRules())
    battle.order("red", "ann: hit bob")
    battle.order("blue", "bob: hit ann")
    return battle


def heads(battle: Table) -> list[tuple[str, int]]:
    return [(line.name, battle.log.head(line).seq) for line in battle.log.lines("b")]


def command_of(kind: type[Command], seat: str) -> AnyCommand:
    made: Any = kind
    return made(**{"battle": "b", "seat": seat, **REFEREES[kind]})  # type: ignore[no-any-return]


def test_the_table_of_the_referees_commands_is_complete() -> None:
    assert {kind for kind, who in WHO_MAY.items() if who.startswith("referee")} == {*REFEREES}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", REFEREES)
def test_no_player_gives_a_command_of_the_referee(kind: type[Command], policy: str) -> None:
    battle = table(corrections=policy)
    before = heads(battle)
    for seat in ("red", "blue"):
        with pytest.raises(DiaryError) as refused:
            battle.execute(command_of(kind, seat))
        assert "referee" in str(refused.value)
        with pytest.raises(DiaryError):
            battle.door.preview(command_of(kind, seat))
    assert heads(battle) == before
    assert battle.log.battles() == ["b"]


@pytest.mark.parametrize("kind", [kind for kind in WHO_MAY if kind is not OpenBattle and kind is not Tick])
def test_nobody_acts_for_a_seat_that_is_not_there(kind: type[Command]) -> None:
    battle = table()
    fields = {name: "x" for name in kind.__struct_fields__ if name in kind.__struct_fields__[5:]}
    made: Any = kind
    with pytest.raises(DiaryError, match="no seat 'green'"):
        battle.execute(made(**{"battle": "b", "seat": "green", **fields}))


@pytest.mark.parametrize("policy", POLICIES)
def test_the_policy_says_who_takes_back_or_replaces_an_order(policy: str) -> None:
    own, others = 6, 7
    may = {"free", "before-dice"}
    asked: list[tuple[str, AnyCommand, bool]] = [
        ("own strike", Strike(battle="b", seat="red", events=(own,), why="x"), policy in may),
        ("own amend", Amend(battle="b", seat="red", event=own, text="ann: curse bob", why="x"), policy in may),
        ("own stands", LetStand(battle="b", seat="red", events=(own,), why="x"), policy in may),
        ("undo with blue's", Undo(battle="b", seat="red", before=own, why="x"), False),
        ("blue's strike", Strike(battle="b", seat="red", events=(others,), why="x"), False),
        ("blue's amend", Amend(battle="b", seat="red", event=others, text="bob: hit ann", why="x"), False),
        ("blue's stands", LetStand(battle="b", seat="red", events=(others,), why="x"), False),
        ("rerolled", Strike(battle="b", seat="red", events=(own,), dice="reroll-act", why="x"), False),
        ("overridden", Strike(battle="b", seat="red", events=(others,), override=True, why="x"), False),
    ]
    for what, command, allowed in asked:
        battle = table(corrections=policy)
        assert [each.seat for each in battle.state.table.orders] == ["red", "blue"]
        before = heads(battle)
        for ask in (battle.door.preview, battle.execute):
            if allowed:
                ask(command)
            else:
                with pytest.raises(CorrectionNotAllowed):
                    ask(command)
                assert heads(battle) == before, what
        assert (heads(battle) != before) == allowed, what


def test_a_seat_proceeds_only_where_there_is_no_referee() -> None:
    from msgspec.structs import replace

    log = MemoryLog()
    open_battle(log, "b", replace(SCENARIO, referee="absent"), rules=ToyRules())
    battle = Table(log, "b", ToyRules())
    assert battle.give(Proceed, seat="red").first > 1
    with pytest.raises(NotAuthorized, match="only the referee may proceed"):
        table().give(Proceed, seat="red")


def test_a_seat_gives_orders_and_dice_for_its_own_pieces_only() -> None:
    battle = table()
    with pytest.raises(DiaryError, match="takes orders from blue"):
        battle.give(SubmitOrders, seat="red", text="bob: hit ann")
    battle.proceed(by_hand=["red", "blue"])
    with pytest.raises(NotAuthorized):
        battle.give(EnterDice, seat="blue", dice={"t1/hit/ann>bob": (3,)})


def test_the_clock_ticks_and_does_nothing_else() -> None:
    battle = table()
    with pytest.raises(DiaryError, match="no orders are called for"):
        battle.give(Tick, seat="engine")
    with pytest.raises(DiaryError, match="no seat 'engine'"):
        battle.give(Proceed, seat="engine")
