"""What is acknowledged is there, whole: after kill -9, and with several processes writing at once.

Children are forked from a server process that has imported everything once, so that two hundred of them cost seconds.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random

import pytest

from engine.backoff import Backoff
from events.store.chain import Chain, origin
from events.store.conformance.stage import AT, begun, notes
from events.store.errors import Conflict
from events.store.log import check_links
from events.store.record import Head, Request
from events.store.sqlite import SqliteLog

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL and no fork")

KILLS = 200
WRITERS = 4
STEPS = 500
LONGEST_WAIT = 2_000_000_000  # ns; the bench measures the real one, a loaded test machine is given much more


def context() -> multiprocessing.context.ForkServerContext:
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["tests.test_durability"])
    return made


def start(
    processes: multiprocessing.context.ForkServerContext, work: Callable[..., None], path: Path, number: int
) -> tuple[Connection, Connection, BaseProcess]:
    """Start a child; return the end that lets it go, the end that it answers on, and the child."""
    (go, starter), (receiver, sender) = processes.Pipe(duplex=False), processes.Pipe(duplex=False)
    child = processes.Process(target=work, args=(path, go, sender, number))
    child.start()
    sender.close()
    go.close()
    return starter, receiver, child


def append_until_killed(path: Path, acknowledged: Connection, sizes: int) -> None:
    """Append steps of 2 to 5 events as fast as can be, and tell the last seq of each once it is acknowledged."""
    random = Random(sizes)
    with SqliteLog(path, patience=Backoff()) as log:
        line = log.line("ford")
        seq = log.head(line).seq
        while True:
            size = random.randint(2, 5)
            texts = [f"{number} of {size}" for number in range(1, size + 1)]
            log.append(line, notes(*texts, act=seq + 1), seq, AT)
            seq += size
            acknowledged.send(seq)


def last_of(acknowledged: Connection) -> int:
    last = 0
    try:
        while acknowledged.poll():
            last = acknowledged.recv()
    except EOFError:
        pass
    return last


def test_l23_killed_two_hundred_times_no_acknowledged_step_is_lost_and_none_is_half_there(tmp_path: Path) -> None:
    path, random, processes = tmp_path / "war.db", Random(7), context()
    with SqliteLog(path) as log:
        line = begun(log)
    end, written = Head(0, origin("ford")), 0
    longest = 0.0
    for kill in range(KILLS):
        receiver, sender = processes.Pipe(duplex=False)
        child = processes.Process(target=append_until_killed, args=(path, sender, kill))
        began = time.monotonic()
        child.start()
        sender.close()
        if kill < 2:  # the second shows how long a child needs to its first step here; the others get up to thrice that
            assert receiver.poll(60)
            longest = 3 * (time.monotonic() - began)
        elif kill % 2:  # every other one in the midst of writing, however slow the machine
            assert receiver.poll(60)
            time.sleep(random.uniform(0, 0.02))
        else:
            time.sleep(random.uniform(0, longest))
        child.kill()
        child.join()
        assert child.exitcode == -signal.SIGKILL
        with receiver:
            last = last_of(receiver)
        with SqliteLog(path, read_only=kill % 2 == 0) as log:
            head = log.head(line)
            assert head.seq >= last, "an acknowledged step is gone"
            written += last > 0
            whole = list(log.records(line, end.seq))
            end = check_links(Chain(line), end, whole)
            assert end == head
            assert_steps_are_whole([record.body for record in whole if record.seq > 1])
            assert log.health().integrity == "ok"
    assert written >= KILLS // 2, "too few children got as far as writing: the test tests nothing"


def assert_steps_are_whole(bodies: list[str]) -> None:
    here = iter(bodies)
    for body in here:
        size = int(body[:-2].rpartition(" ")[2])
        step = [body, *(next(here, "missing") for _ in range(size - 1))]
        assert step == ['{"type":"table.noted","text":"%d of %d"}' % (n, size) for n in range(1, size + 1)]  # noqa: UP031


def append_many(path: Path, go: Connection, result: Connection, writer: int) -> None:
    """Append this writer's steps, each with a fresh head after every conflict; tell how long each append took."""
    took, conflicts = [], 0
    with SqliteLog(path, patience=Backoff()) as log:
        line = log.line("ford")
        head = log.head(line).seq
        result.send("ready")
        go.recv()
        for step in range(STEPS):
            request = Request(f"{writer}/{step}", "")
            while True:
                began = time.monotonic_ns()
                try:
                    head = log.append(line, notes(f"{writer}/{step}", "and more"), head, AT, request).last
                except Conflict as conflict:
                    head = conflict.actual
                    conflicts += 1
                    continue
                finally:
                    took.append(time.monotonic_ns() - began)
                break
    result.send((took, conflicts))


def test_four_processes_write_one_battle_and_nothing_is_lost_doubled_or_refused(tmp_path: Path) -> None:
    path, processes = tmp_path / "war.db", context()
    with SqliteLog(path) as log:
        line = begun(log)
    crew = [start(processes, append_many, path, writer) for writer in range(WRITERS)]
    assert [receiver.recv() for _, receiver, _ in crew] == ["ready"] * WRITERS
    for go, _, _ in crew:
        go.send("go")
    results = [receiver.recv() for _, receiver, _ in crew]  # EOFError here: a writer died, its error is on stderr
    for _, _, child in crew:
        child.join()
        assert child.exitcode == 0
    with SqliteLog(path) as log:
        assert check_links(Chain(line), Head(0, origin("ford")), log.records(line)) == log.head(line)
        records = list(log.records(line, 1))
    steps = Counter(record.request for record in records if record.request is not None)
    assert steps == dict.fromkeys((f"{writer}/{step}" for writer in range(WRITERS) for step in range(STEPS)), 1)
    assert len(records) == 2 * WRITERS * STEPS
    assert [record.position for record in records] == list(range(2, len(records) + 2))
    assert sum(conflicts for _, conflicts in results) > 0, "the writers never met: the test tests nothing"
    assert max(longest for took, _ in results for longest in took) < LONGEST_WAIT


def open_at_once(path: Path, go: Connection, result: Connection, number: int) -> None:
    """Open a file that nobody has made yet, at the same moment as others, and begin a battle in it."""
    go.recv()
    with SqliteLog(path, patience=Backoff()) as log:
        begun(log, f"battle {number}")
        result.send("begun")


def test_a_file_that_several_processes_make_at_once_is_made_once(tmp_path: Path) -> None:
    processes = context()
    for attempt in range(10):
        path = tmp_path / f"{attempt}.db"
        crew = [start(processes, open_at_once, path, number) for number in range(WRITERS)]
        for go, _, _ in crew:
            go.send("go")
        assert {receiver.recv() for _, receiver, _ in crew} == {"begun"}
        for _, _, child in crew:
            child.join()
        with SqliteLog(path) as log:
            assert log._rows("PRAGMA journal_mode") == [("wal",)]
            assert sorted(log.battles()) == [f"battle {number}" for number in range(WRITERS)]
