"""How long an audit of many rolls takes: ledger, luck and fairness of 100 000 rolls. Target: under 5 s.

Run it as `python -m bench.dice_audit [ROLLS]`.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from engine.dice.source import new_commitment
from events.facts import ActOpened, BattleOpened, Chance, DiceRolled, RollCalled, Seat, TurnBegan
from events.store.record import Draft
from events.store.sqlite import SqliteLog
from projections.dice.fairness import report_fairness
from projections.dice.ledger import Selection, read_ledger, select
from projections.dice.luck import report_luck
from projections.dice.rolls import dice_of, read_roll
from replays.audit.proof import ALGORITHM, faces, message

CALLS = [
    ("d100", "at_most", 45, (Chance("hit", 45, 100),)),
    ("d10", "at_least", 6, (Chance("hit", 5, 10),)),
    ("3D+2B", "at_least", 12, ()),
    ("d100", "read", 0, (Chance("arm", 30, 100), Chance("leg", 70, 100))),
    ("2d6", "below", 7, (Chance("stands", 15, 36),)),
]


def fill(log: SqliteLog, rolls: int) -> None:
    """Record a battle of so many seeded rolls, 1000 a step, 250 a turn."""
    committed, secret = new_commitment(1)
    seats = (Seat("red", "Red"), Seat("blue", "Blue"))
    opened = [BattleOpened("Many dice", "bench", "1", seats, ""), committed, TurnBegan(1)]
    log.begin("many", [Draft(event, "engine", 1) for event in opened], 1_700_000_000_000_000, secret)
    line = log.line("many")
    seq = 3
    for start in range(0, rolls, 1000):
        drafts: list[Draft] = []
        for number in range(start, min(start + 1000, rolls)):
            if number % 250 == 0:
                drafts.append(Draft(ActOpened(f"t{number // 250}/blows", seq + len(drafts) + 1, ""), "engine"))
            drafts += [Draft(event, "engine", 1) for event in roll(number)]
        log.append(line, drafts, seq, 1_700_000_000_000_000 + start)
        seq += len(drafts)


def roll(number: int) -> tuple[RollCalled, DiceRolled]:
    """Make one roll; its faces come from the derivation that battles use, with a known key."""
    notation, test, target, chances = CALLS[number % len(CALLS)]
    seat, turn = ("red", "blue")[number % 2], 1 + number // 250
    key = f"t{turn}/{notation}/piece{number % 40}>other{number}"
    call = RollCalled(key, "strikes", seat, f"piece{number % 40}", notation, test, target, chances=chances)  # type: ignore[arg-type]
    shown = faces(b"bench", message("many", "main", "", key, {}), dice_of(notation).faces())
    reading = read_roll(call, shown)
    return call, DiceRolled(key, shown, reading.total, reading.success, "seeded", turn, ALGORITHM)


def main(rolls: int) -> None:
    """Fill a file and time the audit of it."""
    with tempfile.TemporaryDirectory() as folder, SqliteLog(Path(folder) / "war.db", durability="normal") as log:
        fill(log, rolls)
        began, work = time.perf_counter(), time.process_time()
        entries = read_ledger(log, "many")
        read = time.perf_counter()
        report = report_luck(select(entries, Selection(standing="in force")))
        told = time.perf_counter()
        fair = report_fairness(entries)
        ended = time.perf_counter()
        work = time.process_time() - work
        print(f"{len(entries)} rolls: audit in {ended - began:.2f} s, {work:.2f} s of one core (target 5.00 s)")
        print(f"  ledger {read - began:.2f} s")
        print(f"  luck {told - read:.2f} s, {report.looks} looks")
        print(f"  fairness {ended - told:.2f} s, {len(fair.tests)} tests, {len(fair.flagged)} flagged")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
