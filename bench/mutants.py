"""Seed small faults over the four rooms and see whether the tests notice them.

    python -m bench.mutants --seed 7 --number 100

It works in a copy of the tree, kept for the next run, and needs the extra `bench`. First it learns which tests run
which lines; then every fault is tried against the tests nearest to it, then against all files that run its line, and at
last against the rest. Without a fault, a test must pass: those that fail in the copy are left out.
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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench.mutations import Mutation, mutations
from wardiary.rooms import ROOMS

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "*.db-*")
COVERAGE = ".coverage"
FAILING = "failing.txt"
SOME_FAILED, NOTHING_RUN = 1, 5
"""What pytest ends with when tests failed, and when it was left without any."""
BATCHES = 24
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
    """Run the whole suite once and record in the tree which test runs which line, and which fail without any fault.

    It runs in batches, so that one that dies takes only its own tests with it; those are named.
    """
    files = test_files(tree)
    batches = [files[first::BATCHES] for first in range(BATCHES)]
    with ThreadPoolExecutor(jobs) as pool:
        failed = [name for names in pool.map(lambda batch: learn_batch(tree, batch), batches) for name in names]
    (tree / FAILING).write_text("\n".join(failed), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "coverage", "combine", "-q"], cwd=tree, check=True)


def learn_batch(tree: Path, files: Sequence[str]) -> list[str]:
    """Record which lines the tests of some files run; return the tests that fail."""
    quick = ["-q", "-rfE", "--tb=no", "-n0", "-p", "bench.few_examples", "--cov-context=test", "--cov-report="]
    child = start_tests(tree, [*quick, *(f"--cov={room}" for room in ROOMS), *files], f".{files[0].replace('/', '_')}")
    told, _ = child.communicate()
    if child.returncode not in (0, SOME_FAILED):
        print(f"not learned ({child.returncode}): {' '.join(files)}", *told.splitlines()[-3:], sep="\n    ", flush=True)
        return []
    lines = [line.partition(" - ")[0].split(" ", 1) for line in told.splitlines()]
    return [words[1] for words in lines if words[0] in ("FAILED", "ERROR")]


def test_files(tree: Path) -> list[str]:
    """The files of tests in a tree."""
    return sorted(str(path.relative_to(tree)) for path in (tree / "tests").rglob("test_*.py"))


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


def start_tests(tree: Path, arguments: Sequence[str], part: str = "") -> subprocess.Popen[str]:
    """Start pytest in a tree, in a group of processes of its own; `part` names a part of what is learned."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "COVERAGE_FILE": str(tree / (COVERAGE + part))}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.Popen(
        command,
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def pass_tests(tree: Path, tests: Sequence[str], limit: float) -> bool:
    """Run tests in a tree; return whether all passed. What takes longer than `limit` seconds has not."""
    left_out = [f"--deselect={name}" for name in (tree / FAILING).read_text(encoding="utf-8").splitlines()]
    child = start_tests(tree, ["-x", "-q", "-n0", *left_out, *tests])
    try:
        child.communicate(timeout=limit)
        return child.returncode in (0, NOTHING_RUN)
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
    source = (tree / mutation.path).read_text(encoding="utf-8")
    began = time.monotonic()
    write_source(tree, mutation.path, mutation.apply(source))
    try:
        for name, files in rounds.items():
            if files and not pass_tests(tree, files, limit):
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


def chosen(tree: Path, seed: int, number: int) -> list[Mutation]:
    """Choose faults by a seed, the same number in each room; within a room every fault is equally likely."""
    stream = Random(seed)
    found = []
    for place, room in enumerate(ROOMS):
        of_room = [each for path in sorted((tree / room).rglob("*.py")) for each in _of(tree, path)]
        found += stream.sample(of_room, number // len(ROOMS) + (place < number % len(ROOMS)))
    return found


def _of(tree: Path, path: Path) -> list[Mutation]:
    return mutations(str(path.relative_to(tree)), path.read_text(encoding="utf-8"))


def at_places(tree: Path, places: Sequence[str]) -> list[Mutation]:
    """Every fault of the lines that are named as PATH:LINE."""
    found = []
    for place in places:
        path, _, line = place.rpartition(":")
        found += [each for each in _of(tree, tree / path) if each.line == int(line)]
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
    parser.add_argument(
        "--tree", type=Path, required=True, help="where the copy is, or is made; remove it to start afresh"
    )
    parser.add_argument("--limit", type=float, default=300, help="seconds for one round of tests")
    parser.add_argument("--jobs", type=int, default=2, help="processes that learn which test runs which line")
    parser.add_argument("--rounds", type=int, default=3, help="1: the nearest tests; 2: their files, too; 3: all tests")
    asked = parser.parse_args()
    os.nice(10)
    tree: Path = asked.tree
    if not (tree / COVERAGE).exists():
        copy_tree(tree)
        learn(tree, asked.jobs)
    coverage = coverage_of(tree)
    everything = test_files(tree)
    trials = []
    for mutation in at_places(tree, asked.at) or chosen(tree, asked.seed, asked.number):
        rounds = rounds_for(coverage, everything, mutation, asked.rounds)
        trials.append(attempt(tree, mutation, rounds, asked.limit))
        last = trials[-1]
        print(
            f"{'caught' if last.by else 'SURVIVED':8} {last.seconds:5.0f} s  {mutation.told()}  {last.by}", flush=True
        )
    print("\n".join(report(trials)))
    return 0 if all(each.by for each in trials) else 1


if __name__ == "__main__":
    raise SystemExit(main())
