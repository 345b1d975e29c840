"""The record measured: appending, importing, replaying, seeking, four writers, the command line.

Run with `python -m bench.record` (about four minutes; `--quick` for a tenth of the size). Every ratio is taken in one
run against a bare loop that stands here, or against a peer that is installed in the same environment.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sqlite3
import statistics
import sys
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Union

import msgspec

from bench.material import SCENARIO, battle_events, drafts, fill, tables
from bench.measure import Row, cpu_of, interleaved, report, seconds
from engine.backoff import Backoff
from engine.maintenance import rebuild_snapshots
from events.store.record import Draft
from events.store.sqlite import SqliteLog
from projections.fold import Fold, find_fold
from replays.audit.exported import take_over, write_export
from replays.seek import replay, replay_checked, state_at

_COLUMNS = "position, battle, line, seq, act, kind, body, actor, at, request, prev, hash"
_INSERT = f"INSERT INTO event ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
Rows = list[tuple[Any, ...]]


def bare(path: Path, durability: str) -> sqlite3.Connection:
    """Open a file of ours without any of our code: same schema, same pragmas."""
    db = sqlite3.connect(path, isolation_level=None)
    for pragma in (
        "journal_mode = WAL",
        f"synchronous = {durability}",
        "foreign_keys = ON",
    ):
        db.execute(f"PRAGMA {pragma}")
    return db


def rows_of(path: Path) -> Rows:
    """Return the rows of a file's events as they are stored."""
    db = sqlite3.connect(path)
    found = db.execute(f"SELECT {_COLUMNS} FROM event ORDER BY position").fetchall()
    db.close()
    return found


def empty_copy(folder: Path, name: str) -> Path:
    """Make a file that holds one battle with its opening alone."""
    path = folder / name
    with SqliteLog(path) as log:
        opening = [Draft(event, "engine", 1) for event in battle_events()[0]]
        log.begin("b", opening, 1)
    return path


def appending(folder: Path, rounds: int) -> Row:
    """Measure the durable append of one act of five events against a bare INSERT of the same rows."""
    start = len(battle_events()[0])
    made = drafts(start + 5 * rounds)
    with SqliteLog(empty_copy(folder, "made.db")) as log:
        line = log.line("b")
        for place in range(start, len(made), 5):
            log.append(line, made[place : place + 5], place, 1)
    rows = rows_of(folder / "made.db")[start:]
    ours, theirs = (
        SqliteLog(empty_copy(folder, "ours.db"), patience=Backoff()),
        bare(empty_copy(folder, "bare.db"), "FULL"),
    )
    line = ours.line("b")
    steps = iter(range(0, 5 * rounds, 5))
    again = iter(range(0, 5 * rounds, 5))

    def our_append() -> None:
        place = next(steps)
        ours.append(line, made[start + place : start + place + 5], start + place, 1)

    def bare_append() -> None:
        place = next(again)
        theirs.execute("BEGIN IMMEDIATE")
        theirs.executemany(_INSERT, rows[place : place + 5])
        theirs.execute("COMMIT")

    mine, other = interleaved([our_append, bare_append], rounds)
    ours.close()
    theirs.close()
    return Row(
        "durable append of an act of 5", f"{mine * 1e6:.0f} µs", f"{other * 1e6:.0f} µs", other / mine, 0.70, 0.85
    )


def importing(folder: Path, count: int, rounds: int) -> Row:
    """Measure taking over an exported battle against a bare executemany of the same rows, in batches of 1000."""
    source = folder / "source.db"
    with SqliteLog(source) as log:
        fill(log, "b", count)
        export = folder / "b.jsonl"
        with export.open("wb") as out:
            out.writelines(write_export(log, "b", []))
        records = list(log.records(log.line("b")))
        lines = log.lines("b")
    rows = rows_of(source)
    numbers = iter(range(10 * rounds))

    def ours() -> None:
        with SqliteLog(folder / f"import{next(numbers)}.db") as log:
            log.restore("b", lines, records)

    def theirs() -> None:
        path = folder / f"import{next(numbers)}.db"
        SqliteLog(path).close()
        db = bare(path, "FULL")
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO battle VALUES ('b', 1)")
        columns = "id, battle, name, after, played, actor, at, why"
        db.execute(f"INSERT INTO line ({columns}) VALUES (1, 'b', 'main', 0, 1, '', 1, '')")
        for start in range(0, len(rows), 1000):
            db.executemany(_INSERT, rows[start : start + 1000])
        db.execute("COMMIT")
        db.close()

    mine, other = interleaved([ours, theirs], rounds)
    with SqliteLog(folder / "whole.db") as log:
        log.keep_document(*tables())
        whole = seconds(lambda: take_over(log, export))
    print(f"(import from a file, reading and checking it on the way: {count / whole:,.0f} events/s)")
    return Row(
        f"import of {count:,} in batches of 1000",
        f"{count / mine:,.0f}/s",
        f"{count / other:,.0f}/s",
        other / mine,
        0.55,
        0.75,
    )


def bare_replay(path: Path, fold: Fold) -> object:
    """Read, decode and fold the rows of a battle with nothing around it."""
    db = sqlite3.connect(path)
    union: Any = Union[fold.catalogue.types]  # noqa: UP007  (the members are only known now)
    decoder: Any = msgspec.json.Decoder(list[union])
    reducers, state = fold.reducers, fold.start
    cursor = db.execute("SELECT body FROM event WHERE line = 1 ORDER BY seq")
    while page := cursor.fetchmany(512):
        for event in decoder.decode("[" + ",".join([body for (body,) in page]) + "]"):
            state = reducers[type(event)](state, event)
    db.close()
    return state


def replaying(folder: Path, count: int, rounds: int) -> list[Row]:
    """Measure replay, verified replay, and the same with `eventsourcing`."""
    path, fold = folder / "source.db", find_fold("dresda")
    log = SqliteLog(path)
    line = log.line("b")
    assert replay(log, fold, line) == bare_replay(path, fold)

    peer = EventsourcingPeer(folder, count)
    works = [
        lambda: replay(log, fold, line),
        lambda: bare_replay(path, fold),
        lambda: replay_checked(log, fold, line),
        peer.rebuild,
    ]
    ours, loop, verified, theirs = interleaved(works, rounds)
    log.close()
    rate = [f"{count / each:,.0f}/s" for each in (ours, loop, verified, theirs)]
    return [
        Row(f"replay of {count:,} events / bare loop", rate[0], rate[1], loop / ours, 0.50, 0.65),
        Row("the same / eventsourcing", rate[0], rate[3], theirs / ours, 10, 15),
        Row("replay with the chain verified / bare loop", rate[2], rate[1], loop / verified, 0.33, 0.43),
    ]


class EventsourcingPeer:
    """An aggregate told the same facts, in the SQLite store of `eventsourcing`, as its documentation shows it."""

    def __init__(self, folder: Path, count: int) -> None:
        from eventsourcing.application import Application
        from eventsourcing.domain import Aggregate, event

        class Fight(Aggregate):
            def __init__(self) -> None:
                self.pieces: dict[str, dict[str, Any]] = {}

            @event("Happened")
            def happen(self, about: str, fact: dict[str, Any]) -> None:
                self.pieces[about] = {**self.pieces.get(about, {}), **fact}

        env = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / "peer.db")}
        self._app: Any = Application(env=env)
        fight = Fight()
        for place, draft in enumerate(drafts(count)):
            fact = msgspec.to_builtins(draft.event)
            fight.happen(next((str(value) for key, value in fact.items() if key != "type"), ""), fact)
            if place % 1000 == 999:
                self._app.save(fight)
        self._app.save(fight)
        self._id = fight.id

    def rebuild(self) -> object:
        """Read the aggregate from its events."""
        return self._app.repository.get(self._id)


def seeking(folder: Path, counts: tuple[int, int]) -> list[Row]:
    """Measure the state at a random point of a short and of a long battle."""
    fold, found = find_fold("dresda"), []
    for count in counts:
        with SqliteLog(folder / f"seek{count}.db", durability="normal") as log:
            fill(log, "b", count)
            rebuild_snapshots(log, "b", "dresda")
            line = log.line("b")
            points = random.Random(count).sample(range(1, count), 300)
            times = [seconds(partial(state_at, log, fold, line, point)) for point in points]
            found.append((count, statistics.median(times) * 1000, max(times) * 1000))
    (short, base, _), (count, median, worst) = found
    print(f"(seeking: slowest of 300 points at {count:,} events {worst:.2f} ms)")
    return [
        Row(f"state at a random point of {count:,}, ms", f"{median:.2f} ms", "", median, 2, 0.5, above=False),
        Row(f"the same / at {short:,}", f"{median:.2f} ms", f"{base:.2f} ms", median / base, 1.5, 1.1, above=False),
    ]


def _write(path: str, writer: int, steps: int, out: Any) -> None:
    """One of the writing processes: append steps as fast as it can, noting the slowest."""
    from events.store.errors import Conflict

    worst = 0.0
    made = [Draft(event, "engine") for event in battle_events()[1][:5]]
    with SqliteLog(path, patience=Backoff()) as log:
        line = log.line("b")
        for _ in range(steps):
            began = time.perf_counter()
            while True:
                try:
                    log.append(line, made, log.head(line).seq, 1)
                    break
                except Conflict:
                    continue
            worst = max(worst, time.perf_counter() - began)
    out.put((writer, worst))


def four_writers(folder: Path, steps: int) -> Row:
    """Measure the unluckiest append while four processes write to one battle."""
    path = empty_copy(folder, "four.db")
    start = len(battle_events()[0])
    context = multiprocessing.get_context("fork")
    out = context.Queue()
    writers = [context.Process(target=_write, args=(str(path), n, steps, out)) for n in range(4)]
    for each in writers:
        each.start()
    worst = max(out.get()[1] for _ in writers) * 1000
    for each in writers:
        each.join()
    with SqliteLog(path) as log:
        assert log.head(log.line("b")).seq == start + 4 * steps * 5, "steps were lost or doubled"
    return Row("four writers, unluckiest append, ms", f"{worst:.0f} ms", "", worst, 250, 100, above=False)


def command_line(folder: Path) -> list[Row]:
    """Measure the CPU time of whole commands."""
    path = folder / "show.db"
    with SqliteLog(path) as log:
        fill(log, "b", 1000)
    wardiary = str(Path(sys.executable).with_name("wardiary"))
    helped = cpu_of([wardiary, "--help"]) * 1000
    shown = cpu_of([wardiary, "show", "b", "--db", str(path)]) * 1000
    return [
        Row("CPU of `wardiary --help`, ms", f"{helped:.0f} ms", "", helped, 150, 100, above=False),
        Row("CPU of `wardiary show` at 1 000 events, ms", f"{shown:.0f} ms", "", shown, 250, 180, above=False),
    ]


def main() -> None:
    """Measure everything and print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the size, for a first look")
    scale = 10 if parser.parse_args().quick else 1
    opening, body = battle_events()
    print(f"material: {SCENARIO}, {len(opening)} opening events, {len(body)} rolls and outcomes, repeated")
    with TemporaryDirectory(prefix="wardiary-bench-") as scratch:
        folder = Path(scratch)
        rows = [appending(folder, 400 // scale), importing(folder, 100_000 // scale, 5)]
        rows += replaying(folder, 100_000 // scale, 7)
        rows += seeking(folder, (10_000, 1_000_000 // scale))
        rows += [four_writers(folder, 500 // scale), *command_line(folder)]
    report(rows)


if __name__ == "__main__":
    main()
