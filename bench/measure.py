"""How the benchmarks measure: interleaved rounds, medians, ratios taken in the same run."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """One line of the report. `ratio` is judged against `must` and `aim`; `above` tells which side is good."""

    quantity: str
    ours: str
    reference: str
    ratio: float
    must: float
    aim: float
    above: bool = True

    def verdict(self) -> str:
        """Say whether the figure reaches its aim, what it must, or neither."""
        reached = [self.ratio >= limit if self.above else self.ratio <= limit for limit in (self.aim, self.must)]
        return "aim" if reached[0] else "must" if reached[1] else "FALLS SHORT"


def seconds(work: Callable[[], object]) -> float:
    """Time one call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def interleaved(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Run each work once a round, in turn, so that slow minutes fall on all alike; return the median of each."""
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for place, work in enumerate(works):
            taken[place].append(seconds(work))
    return [statistics.median(each) for each in taken]


def cpu_of(command: Sequence[str], runs: int = 7) -> float:
    """Return the median CPU seconds (user and system) of a whole command."""
    spent = []
    for _ in range(runs):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise RuntimeError(f"{command} ended with {child.returncode}")
        spent.append(usage.ru_utime + usage.ru_stime)
    return statistics.median(spent)


def report(rows: Sequence[Row]) -> None:
    """Print the table, in Markdown."""
    print("| quantity | ours | reference | ratio or figure | must | aim | reached |")
    print("|---|---:|---:|---:|---:|---:|---|")
    for row in rows:
        sign = "≥" if row.above else "≤"
        print(
            f"| {row.quantity} | {row.ours} | {row.reference} | {row.ratio:.2f} "
            f"| {sign} {row.must:g} | {sign} {row.aim:g} | {row.verdict()} |"
        )
        sys.stdout.flush()
