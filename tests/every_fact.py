"""A log with every kind of fact in it, and a long one like those of real battles: for tests of looking back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from events.corrections import (
    Corrected,
    CorrectionAnswered,
    CorrectionAsked,
    Deferred,
    DeferredSettled,
    FactStated,
    Modified,
    Stood,
    Superseded,
)
from events.facts import (
    COMMON,
    ActOpened,
    BattleEnded,
    BattleOpened,
    BeaconAdded,
    BeaconNamed,
    Bookmarked,
    Chance,
    Declared,
    DiceCommitted,
    DicePolicyDeclared,
    DiceRecommitted,
    DiceRolled,
    Event,
    NonceAdded,
    Noted,
    Ordered,
    OrderLapsed,
    Revealed,
    RollCalled,
    RootRevealed,
    RulingGiven,
    RulingRequested,
    Sealed,
    Seat,
    SecretRevealed,
    Term,
    TurnBegan,
)
from events.store.log import Log
from events.store.memory import MemoryLog
from events.store.record import Draft, Line
from tests.toy import Placed, Wounded

SEATS = (Seat("red", "Red"), Seat("blue", "Blue"))
BEGAN = 1_700_000_000_000_000


class Strange(Event, frozen=True, gc=False, tag="future.strange"):
    """A fact that a newer version might write."""

    what: str


STORY: tuple[Event, ...] = (
    BattleOpened("Everything", "toy", "1", SEATS, ""),
    DiceCommitted("hmac", "c0ffee", 1, 10),
    NonceAdded("red", "luck"),
    DiceRecommitted("a new referee", ("blue",)),
    RootRevealed("5ec7e7"),
    BeaconNamed("drand", 7),
    BeaconAdded("drand", 7, "ab" * 48),
    DicePolicyDeclared("forbidden", "as agreed"),
    Placed("ann", "red", 3),
    Placed("bob", "blue", 3),
    TurnBegan(1),
    Noted("a word before"),
    Declared("red", "ann", "blows", "ann: hit bob"),
    Ordered("red", "ann", "blows", "ann: hit bob"),
    Sealed("blue", "bob", "blows", "d" * 64),
    Revealed("blue", "bob", "blows", "bob: hit ann", "salt", "d" * 64),
    ActOpened("t1/blows", 15, "digest", ("blows",)),
    Modified("t1/hit/ann>bob", "high ground", 1, "was forgotten"),
    RollCalled("t1/hit/ann>bob", "ann strikes bob", "red", "ann", "d6", "at_least", 4, "target",
               (Term("base", 4, "TOY-2", "seed"),), (Chance("hit", 3, 6),), "TOY-2"),
    DiceRolled("t1/hit/ann>bob", (6,), 6, True, "seeded", 1),
    Wounded("bob", "ann", 1, "TOY-2"),
    OrderLapsed("bob", "bob: hit ann", "ann is down", "TOY-1"),
    RulingRequested("curse/bob", "TOY-3", "does the curse take bob?", ("yes", "no"), "no"),
    RulingGiven("curse/bob", "yes", "it must"),
    Corrected("amend", "main", 9, "keep", "typing slip", ("event 4",)),
    Stood(4, "too late"),
    Deferred(1, "red", "ann: hit bob", "bob is down"),
    DeferredSettled(1, "dropped", "no use"),
    FactStated("bob: health 1", "said so"),
    CorrectionAsked(1, "red", "undo", (9,), "please", ("blue",)),
    CorrectionAnswered(1, "blue", True, "fine"),
    Bookmarked("dispute", 9),
    SecretRevealed(1, "5ec7e7"),
    BattleEnded("enough", "red"),
    Superseded("right", "amend", "was wrong"),
)  # fmt: skip


def sample(fact: type[Event]) -> Event:
    """Make some instance of a fact that has no place in the story above."""
    fields = msgspec.structs.fields(fact)
    return fact(**{field.name: _some(msgspec.inspect.type_info(field.type)) for field in fields if field.required})


def _some(info: msgspec.inspect.Type) -> Any:
    match info:
        case msgspec.inspect.LiteralType(values):
            return values[0]
        case msgspec.inspect.UnionType(types):
            return _some(types[0])
        case msgspec.inspect.StrType():
            return "some"
        case msgspec.inspect.BoolType():
            return True
        case msgspec.inspect.IntType():
            return 1
        case msgspec.inspect.DictType():
            return {}
        case _:
            return ()


EVERY: tuple[Event, ...] = (
    *STORY,
    *(sample(fact) for fact in COMMON if fact not in {type(event) for event in STORY}),
    Strange("never seen"),
)
"""Every common fact at least once, two of the toy's, and one that nobody knows."""


def record(events: Iterable[Event], battle: str = "b", log: Log | None = None) -> tuple[Log, Line]:
    """Record events as they are given, one act for each `ActOpened` and what follows it."""
    log = MemoryLog() if log is None else log
    drafts: list[Draft] = []
    act = 1
    for seq, event in enumerate(events, 1):
        act = seq if isinstance(event, ActOpened | Ordered) else act
        drafts.append(Draft(event, "engine", act))
    log.begin(battle, drafts[:1], BEGAN)
    line = log.line(battle)
    for start in range(1, len(drafts), 200):
        log.append(line, drafts[start : start + 200], start, BEGAN + start * 1_000_000)
    return log, line


def long_battle(events: int, pieces: int = 24, blows: int = 20, names: Sequence[str] = ()) -> list[Event]:
    """Return a battle of exactly so many events: turns of orders, checks with six terms, and wounds."""
    names = names or [f"fighter_{number}" for number in range(pieces)]
    told: list[Event] = [BattleOpened("A long battle", "toy", "1", SEATS, "")]
    told += [Placed(name, ("red", "blue")[number % 2], 1000) for number, name in enumerate(names)]
    turn = 0
    while len(told) < events:
        turn += 1
        told.append(TurnBegan(turn))
        pairs = [(names[(turn + n) % len(names)], names[(turn + n + 1 + turn % 5) % len(names)]) for n in range(blows)]
        told += [Ordered("red", who, "blows", f"{who}: hit {whom}") for who, whom in pairs]
        told.append(ActOpened(f"t{turn}/blows", len(told) + 1, "digest", ("blows",)))
        for number, (who, whom) in enumerate(pairs):
            told += _blow(turn, number, who, whom)
    return told[:events]


def _blow(turn: int, number: int, who: str, whom: str) -> list[Event]:
    target = 20 + (turn * 7 + number * 13) % 60
    terms = (
        Term("heavy crossbow at 71 cm", 25, "DR-050", "house"),
        Term("firer on higher ground", 5, "DR-051", "house"),
        Term("target ran", -15, "DR-051", "seed"),
        Term("target in soft cover", -10, "DR-051", "found"),
        Term("status regular", 0, "DR-051", "house"),
        Term("aimed", target - 5, "DR-052", "house"),
    )
    key = f"t{turn}/missile/{who}>{whom}/{number}"
    face = 1 + (turn * 31 + number * 17) % 100
    seat = ("red", "blue")[number % 2]
    call = RollCalled(key, f"{who} to hit {whom}", seat, who, "d100", "at_most", target, "target", terms,
                      (Chance("hit", target, 100),), "DR-053")  # fmt: skip
    rolled = DiceRolled(key, (face,), face, face <= target, "seeded", turn)
    return [call, rolled, *([Wounded(whom, who, 1, "DR-060")] if face <= target else [])]
