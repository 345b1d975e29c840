"""What corrections cost: a branch at event 1 000 000 against one at 1 000, and an order amended amid 2 000 acts.

Run it as `python -m bench.corrections [EVENTS] [ACTS]`. Targets: the branches cost the same (ratio at most 1.5); what
comes after an amended order is played again at no more than twice what it took to play it.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from bench.measure import Row, interleaved, report, seconds
from engine.corrections.plan import plan
from engine.corrections.request import CorrectionRequest
from engine.rules.rule_set import Scenario
from events.facts import BattleOpened, Event, Noted, Seat
from events.store.log import Log
from events.store.record import Draft, Snapshot
from events.store.sqlite import SqliteLog
from replays.seek import replay
from tests.table import Table, apply_correction, branch, open_battle
from tests.toy import Placed, ToyRules

AT = 1_700_000_000_000_000
SEATS = {"red": ("ann", "al"), "blue": ("bob", "ben")}
ROUNDS = 15


class Lasting(ToyRules):
    """The toy rules, with fighters who last for any number of turns."""

    def deploy(self, scenario: Scenario, tables: Any) -> Sequence[Event]:
        """Place everybody with a million points of health."""
        return [Placed(name, seat, 10**6) for seat, names in SEATS.items() for name in names]


def main() -> None:
    """Measure and print."""
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    acts = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000
    with tempfile.TemporaryDirectory() as folder:
        with SqliteLog(Path(folder) / "long.db", durability="normal") as log:
            rows = [branches(log, events)]
        with SqliteLog(Path(folder) / "acts.db", durability="normal") as log:
            rows += amended(log, acts)
        report(rows)


def branches(log: SqliteLog, events: int) -> Row:
    """Open what-if lines near the beginning and near the end of a long battle, in turn."""
    battle = long_battle(log, events)
    names = (f"w{number}" for number in itertools.count())
    early, late = interleaved(
        [lambda seq=seq: branch(battle, next(names), seq, "referee", "what if") for seq in (1_000, events)],  # type: ignore[misc]
        ROUNDS * 3,
    )
    ours, other = f"{late * 1000:.2f} ms", f"{early * 1000:.2f} ms"
    return Row(f"branch at {events:,} against 1 000", ours, other, late / early, 1.5, 1.2, above=False)


def long_battle(log: Log, events: int) -> Table:
    """Record a battle of so many events, with snapshots where a battle that is played has them: within 256 events."""
    rules = Lasting()
    _, text = rules.load_tables(None)
    digest = sha256(text.encode()).hexdigest()
    log.keep_document(digest, text)
    seats = tuple(Seat(seat, seat.title()) for seat in SEATS)
    placed = [Placed(name, seat, 10**6) for seat, names in SEATS.items() for name in names]
    opened: list[Event] = [BattleOpened("Long", "toy", "1", seats, digest), *placed]
    log.begin("b", [Draft(event, "engine", 1) for event in opened], AT)
    line, seq = log.line("b"), len(opened)
    while seq < events:
        count = min(2_000, events - seq)
        log.append(line, [Draft(Noted(f"note {seq + n}"), "red") for n in range(count)], seq, AT)
        seq += count
    fold = rules.fold()
    for near in (1_000 - 100, events - 100):
        record = next(log.records(line, near - 1, near))
        state = fold.save_snapshot(replay(log, fold, line, near))
        log.save_snapshot(line, Snapshot(near, record.hash, fold.fingerprint, state))
    return Table(log, "b", rules)


def amended(log: SqliteLog, acts: int) -> list[Row]:
    """Play a battle, amend an order in the middle, and compare with what its second half took to play."""
    rules = Lasting()
    scenario = Scenario("Many acts", "toy", {seat: seat.title() for seat in SEATS})
    open_battle(log, "b", scenario, rules=rules)
    battle = Table(log, "b", rules)
    turns = acts // 2  # a turn has two acts: the blows, and its end
    play(battle, turns - turns // 2)
    target = battle.seq + 1
    played = seconds(lambda: play(battle, turns // 2))
    wish = CorrectionRequest("amend", (target,), "referee", "a slip", "keep", text="ann: hit ben")
    made = plan(battle, wish)
    (planned,) = interleaved([lambda: plan(battle, wish)], 3)
    signed = seconds(lambda: apply_correction(battle, made))
    last = Table(log, "b", rules, made.name)
    (undone,) = interleaved([lambda: plan(last, CorrectionRequest("undo", (), "referee", "a slip", "keep"))], ROUNDS)
    size = f"{acts:,} acts, {battle.seq:,} events"
    return [
        Row(f"amend amid {size}", f"{planned:.2f} s", f"played: {played:.2f} s", planned / played, 2, 1, above=False),
        Row("signing it, in ms", f"{len(made.drafts):,} events", "", signed * 1000, 2_000, 500, above=False),
        Row("undo of the last thing after it, in ms", "", "", undone * 1000, 100, 20, above=False),
    ]


def play(battle: Table, turns: int) -> None:
    """Play so many turns, everybody striking."""
    for _ in range(turns):
        battle.order("red", "ann: hit bob\nal: hit bob")
        battle.order("blue", "bob: hit ann\nben: hit al")
        battle.proceed()


if __name__ == "__main__":
    main()
