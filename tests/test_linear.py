"""Text of strangers costs no more than its length: no pattern reads a line in more ways than one."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from engine.deadlines.walltime import find_zone, read_moment, read_span
from engine.orders import Vocabulary, read_sheet
from engine.orders.errors import SheetRefused
from engine.orders.pasted import read_pasted
from events.dice.expression import NotationError
from events.dice.notation import parse, parse_target, split_label
from events.errors import DiaryError
from replays.outside import FORMATS, read_outside
from replays.outside.source import OutsideUnreadable
from tests.toy import ToyRules

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no clock of the processor that interrupts")

SAMPLES = Path(__file__).parent / "outside"
TEMPLATES = {"vassal": "** $name$ = $result$ *** <$playerName$>", "marti": "d6"}
SHORT, LONG = 400, 10_000
SECONDS = 0.5
"""What a text may cost the processor: many times what it does cost."""
POST = """\
On Monday, 3 May 2031 at 19:02, Ann <ann@example.org> wrote:
> Grubnik: run 31,30 :)
[quote=Ann][b]so what?[/b][/quote] (( sorry, late )) [ooc]aside[/ooc]
**Grubnik**: run 31,30; __shoot__ `Odo` *at once* :-) &#119; &amp; 👍
1. Grubnik: run 31,30   # at last
OOC: I am away
-- Sent from my phone
"""


@contextmanager
def bounded(what: str) -> Iterator[None]:
    """Fail as soon as the processor has worked too long, even in the midst of a pattern."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"more than {SECONDS} s: {what}")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def pumped(line: str, size: int) -> Iterator[str]:
    """Blow a line up at each of its parts: one, two or three parts over and over, and an end that spoils it."""
    parts = re.findall(r"[A-Za-z]+|[0-9]+|\s+|.", line)
    for at in range(len(parts)):
        for width in (1, 2, 4):
            piece = "".join(parts[at : at + width])
            before, after = "".join(parts[:at]), "".join(parts[at + width :])
            yield f"{before}{piece * (size // len(piece))}{after}\x01"
    yield "".join(part * (size // len(line)) for part in parts)


def lines_of(text: str) -> list[str]:
    """Return lines that differ in more than their words and numbers."""
    found = {re.sub(r"[a-z]+", "a", re.sub(r"[0-9]+", "1", line)): line for line in text.splitlines() if line.strip()}
    return [line[:120] for line in found.values()]


def assert_linear(read: Callable[[str], object], line: str) -> None:
    for size in (SHORT, LONG):
        for text in pumped(line, size):
            with bounded(f"{text[:60]!r} … {text[-60:]!r}"):
                read(text)


@pytest.mark.parametrize("format_", FORMATS)
def test_a_log_from_elsewhere_costs_no_more_than_its_length(format_: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    texts = [each.read_text(encoding="utf-8") for each in sorted(SAMPLES.glob(f"{format_}.*"))]
    heads = {line: "\n".join(text.splitlines()[:at]) for text in texts for at, line in enumerate(text.splitlines())}

    def read(line: str, head: str) -> None:
        path.write_text(f"{head[-400:]}\n{line}\n", encoding="utf-8")
        try:
            read_outside(path, format_, template=TEMPLATES.get(format_))
        except OutsideUnreadable:
            return

    assert texts
    for line in lines_of("\n".join(texts))[:6]:
        head = next(head for full, head in heads.items() if full.startswith(line))
        assert_linear(lambda text: read(text, head), line)  # noqa: B023


@pytest.mark.parametrize("line", lines_of(POST))
def test_a_pasted_post_costs_no_more_than_its_length(line: str) -> None:
    assert_linear(read_pasted, line)


@pytest.mark.parametrize("line", ["2d6+1d20kh1-3 >= 45 # to hit", "1d100<=45 to hit: ann", "3d6 + 2 * (1d4 - 1)"])
def test_dice_in_words_cost_no_more_than_their_length(line: str) -> None:
    def read(text: str) -> None:
        for reader in (parse, parse_target, split_label):
            try:
                reader(text)
            except NotationError:
                continue

    assert_linear(read, line)


@pytest.mark.parametrize("line", ["ann: move to 30,30 fast; shoot 'Bob the \"Bold\"' # now", "2 t1 order: x 1 2 3"])
def test_orders_cost_no_more_than_their_length(line: str) -> None:
    rules = ToyRules()
    names = Vocabulary({"ann": "Ann", "bob": "Bob"})

    def read(text: str) -> None:
        try:
            read_sheet(text, rules.grammar, names)
        except SheetRefused:
            return

    assert_linear(read, line)


@pytest.mark.parametrize("line", ["2031-05-01 19:02 +02:00", "monday 18:00", "2 weeks 3 days 4h", "eastern", "19:02"])
def test_times_cost_no_more_than_their_length(line: str) -> None:
    def read(text: str) -> None:
        for reader in (
            lambda: read_moment(text, find_zone("UTC"), 0),
            lambda: read_span(text),
            lambda: find_zone(text),
        ):
            try:
                reader()
            except DiaryError:
                continue

    assert_linear(read, line)


def test_a_line_of_dice_whose_end_does_not_fit_is_given_up_at_once(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text(
        "by Ser Odo » Thu May 01, 2031 7:02 pm\nPunch: 1d20+8: [16]+8 = 24\nKick: " + "+".join(["1d20"] * 45) + "=1\n",
        encoding="utf-8",
    )
    with bounded("45 terms"):
        assert read_outside(path, "phpbb", zone="UTC").entries[0].total == 24


def test_a_character_by_a_number_of_thousands_of_digits_is_read_as_none() -> None:
    for digits in ("1" * 5000, "x" + "f" * 5000, "0" * 5000 + "65"):
        assert read_pasted(f"ann: run &#{digits}; 3").text.startswith("ann: run")
    assert read_pasted("ann: run &#0000000000065;").text == "ann: run A"
