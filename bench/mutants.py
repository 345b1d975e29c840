"""Seed small faults over the four rooms and see whether the tests notice them.

    python -m bench.mutants --seed 7 --number 100

It works in a copy of the tree and needs the extra `bench`. First it learns which tests run which lines; then every
fault is tried against the tests nearest to it, then against all files that run its line, and at last against the rest.
A fault that no test notices is listed as a survivor: write a test for it, or say why it changes nothing.
With `--at PATH:LINE` it tries every fault of one line.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench.mutations import Mutation, mutations
from wardiary.rooms import ROOMS

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "*.db-*")
COVERAGE = ".coverage"
MAX_NEAR = 80
"""Tests of the first round: enough to catch most faults, few enough to take seconds."""


class Coverage:
    """Which tests run which lines of which source file; a test is named as pytest names it, `FILE::TEST`."""

    def __init__(self, lines: Mapping[str, Mapping[int, frozenset[str]]]) -> None:
        self._lines = lines
        self._work = {path: _work(by_line) for path, by_line in lines.items()}
        self._total = sum(self._work.values(), Counter[str]())

    def tests_for(self, path: str, line: int) -> list[str]:
        """Return the tests that run a line, those first whose files spend most of their work in its file.

        A line that runs at import belongs to all tests that run anything of the file.
        """
        of_file = self._lines.get(path, {})
        found = of_file.get(line) or frozenset().union(*of_file.values())
        return sorted(found, key=lambda test: (-self._share(_file_of(test), path), test))

    def _share(self, test_file: str, path: str) -> float:
        return self._work[path][test_file] / self._total[test_file]


def _work(by_line: Mapping[int, frozenset[str]]) -> Counter[str]:
    """How many lines of a source file each test file runs."""
    return Counter(name for tests in by_line.values() for name in {_file_of(test) for test in tests})


def _file_of(test: str) -> str:
    return test.split("::")[0]


class Trial(NamedTuple):
    """What became of a fault: `by` says which tests noticed it, and is empty for a survivor."""

    mutation: Mutation
    by: str
    seconds: float


def copy_tree(to: Path) -> None:
    """Copy the working tree to where faults may be put into it."""
    shutil.copytree(ROOT, to, ignore=LEFT_OUT, dirs_exist_ok=True)


def learn(tree: Path, jobs: int) -> None:
    """Run the whole suite once and record which test runs which line, in a file of the tree."""
    rooms = [f"--cov={room}" for room in ROOMS]
    (tree / "coverage.ini").write_text("[run]\nsource =\n" + "".join(f"    {room}\n" for room in ROOMS))
    command = ["-q", f"-n{jobs}", *rooms, "--cov-context=test", "--cov-report=", "--cov-config=coverage.ini"]
    run_tests(tree, command, None)


def coverage_of(tree: Path) -> Coverage:
    """Read what `learn` recorded."""
    from coverage import CoverageData

    data = CoverageData(str(tree / COVERAGE))
    data.read()
    lines: dict[str, dict[int, frozenset[str]]] = {}
    for name in data.measured_files():
        by_line = data.contexts_by_lineno(name)
        path = str(Path(name).relative_to(tree))
        lines[path] = {line: frozenset(name.split("|")[0] for name in names if name) for line, names in by_line.items()}
    return Coverage(lines)


def run_tests(tree: Path, arguments: Sequence[str], limit: float | None) -> bool:
    """Run pytest in a tree; return whether all tests passed. What takes longer than `limit` seconds is stopped."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "COVERAGE_FILE": str(tree / COVERAGE)}
    child = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=tree,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return child.wait(limit) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def write_source(tree: Path, path: str, source: str) -> None:
    """Put a source file into the tree, so that no compiled form of what stood there before is used."""
    target = tree / path
    target.write_text(source, encoding="utf-8")
    Path(importlib.util.cache_from_source(str(target))).unlink(missing_ok=True)


def attempt(tree: Path, mutation: Mutation, rounds: Mapping[str, Sequence[str]], limit: float) -> Trial:
    """Put one fault into the tree, run the rounds of test files until one of them notices, take the fault out again."""
    source = (ROOT / mutation.path).read_text(encoding="utf-8")
    began = time.monotonic()
    write_source(tree, mutation.path, mutation.apply(source))
    try:
        for name, files in rounds.items():
            if files and not run_tests(tree, ["-x", "-q", "-n0", *files], limit):
                return Trial(mutation, f"by {name}", time.monotonic() - began)
    finally:
        write_source(tree, mutation.path, source)
    return Trial(mutation, "", time.monotonic() - began)


def rounds_for(coverage: Coverage, everything: Sequence[str], mutation: Mutation, count: int) -> dict[str, list[str]]:
    """The tests to try in so many rounds: those nearest to the line, the files that run it, the rest of the suite."""
    near = coverage.tests_for(mutation.path, mutation.line)
    files = list(dict.fromkeys(_file_of(test) for test in near))
    found = {
        "tests nearest to the line": near[:MAX_NEAR],
        "files that run the line": files,
        "the other tests": [name for name in everything if name not in files],
    }
    return dict(list(found.items())[:count])


def chosen(seed: int, number: int) -> list[Mutation]:
    """Choose faults by a seed, the same number in each room; within a room every fault is equally likely."""
    stream = Random(seed)
    found = []
    for place, room in enumerate(ROOMS):
        of_room = [each for path in sorted((ROOT / room).rglob("*.py")) for each in _of(path)]
        found += stream.sample(of_room, number // len(ROOMS) + (place < number % len(ROOMS)))
    return found


def _of(path: Path) -> list[Mutation]:
    return mutations(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))


def at_places(places: Sequence[str]) -> list[Mutation]:
    """Every fault of the lines that are named as PATH:LINE."""
    found = []
    for place in places:
        path, _, line = place.rpartition(":")
        found += [each for each in _of(ROOT / path) if each.line == int(line)]
    return found


def report(trials: Sequence[Trial]) -> Iterator[str]:
    """Sum up, by room, and list what survived."""
    by_room: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        by_room[trial.mutation.path.split("/")[0]].append(trial)
    for room, of_room in by_room.items():
        yield f"{room}: {sum(bool(each.by) for each in of_room)} of {len(of_room)} caught"
    caught = sum(bool(each.by) for each in trials)
    yield f"all: {caught} of {len(trials)} caught, {100 * caught // max(1, len(trials))} %"
    yield from (f"survived: {each.mutation.told()}" for each in trials if not each.by)


def main() -> int:
    """Read the options, try the faults, print one line each and the sums; exit code 1 if any survived."""
    parser = argparse.ArgumentParser(description="Seed faults and see whether the tests notice them.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--at", action="append", default=[], metavar="PATH:LINE", help="try every fault of this line")
    parser.add_argument("--tree", type=Path, required=True, help="where the copy is made and kept for the next run")
    parser.add_argument("--limit", type=float, default=300, help="seconds for one round of tests")
    parser.add_argument("--jobs", type=int, default=2, help="processes that learn which test runs which line")
    parser.add_argument("--rounds", type=int, default=3, help="1: the nearest tests; 2: their files, too; 3: all tests")
    asked = parser.parse_args()
    os.nice(10)
    copy_tree(asked.tree)
    if not (asked.tree / COVERAGE).exists():
        learn(asked.tree, asked.jobs)
    coverage = coverage_of(asked.tree)
    everything = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py"))
    trials = []
    for mutation in at_places(asked.at) or chosen(asked.seed, asked.number):
        rounds = rounds_for(coverage, everything, mutation, asked.rounds)
        trials.append(attempt(asked.tree, mutation, rounds, asked.limit))
        last = trials[-1]
        print(
            f"{'caught' if last.by else 'SURVIVED':8} {last.seconds:5.0f} s  {mutation.told()}  {last.by}", flush=True
        )
    print("\n".join(report(trials)))
    return 0 if all(each.by for each in trials) else 1


if __name__ == "__main__":
    raise SystemExit(main())
