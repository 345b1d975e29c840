"""The dice of a battle as a report: sections of plain lines, and one self-contained HTML page with pictures.

The page needs no network and no script. Everything that people have typed is escaped, and invisible characters in it
are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

import msgspec

from events.times import rfc3339
from projections.dice.charts import Course, courses, faces_lines, figures, luck_text
from projections.dice.fairness import FairnessReport, fairness_sentence, report_fairness, rerolled, result_sentence
from projections.dice.ledger import Entry, totals
from projections.dice.ledger_text import badges, faces_text, total_line, verdict_text
from projections.dice.luck import UNUSUAL, Luck, LuckReport, Streak, Sums, checks_of, report_luck, verdict
from projections.dice.luck_text import (
    counted,
    in_so_many,
    looks_sentence,
    luck_sentence,
    per_cent,
    shown,
    signed,
    streak_sentence,
    sums_sentence,
)
from projections.fold import Bearing
from projections.journal import printable

MAX_ROWS = 5000
"""Rolls listed on an HTML page; a page with more says so and names the CSV, which lists all."""


class RecordChecks(msgspec.Struct, frozen=True):
    """What checks of the record itself say of its dice: lines of the proof, findings, the policy on setting aside."""

    proof: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    policy: str = ""


class DiceReport(msgspec.Struct, frozen=True):
    """An audit of dice: what was rolled, who was lucky, whether the sources are fair, what checks of the record say."""

    title: str
    entries: tuple[Entry, ...]
    luck: LuckReport
    fairness: FairnessReport
    courses: tuple[Course, ...]
    bearing: Mapping[str, Bearing] = {}
    checks: RecordChecks = RecordChecks()


def audit(
    title: str,
    entries: Sequence[Entry],
    chosen: Sequence[Entry] | None = None,
    *,
    bearing: Mapping[str, Bearing] | None = None,
    stakes: dict[str, int] | None = None,
    checks: RecordChecks | None = None,
) -> DiceReport:
    """Audit dice. `chosen` are those asked about; fairness is a matter of the sources, so it looks at all `entries`.

    Luck counts rolls in force alone, in the order of time; `bearing` as in `checks_of`. Raises nothing for any ledger
    that `read_ledger` gives.
    """
    asked = tuple(entries if chosen is None else chosen)
    in_force = sorted((entry for entry in asked if entry.standing == "in force"), key=_when)
    luck = report_luck(in_force, bearing=bearing, stakes=stakes)
    lines = courses(checks_of(in_force, bearing=bearing))
    fairness = report_fairness(entries)
    return DiceReport(title, asked, luck, fairness, lines, bearing or {}, checks or RecordChecks())


def _when(entry: Entry) -> tuple[str, int]:
    """Sort by battle, then by place in it; what has no place keeps the order in which it was read."""
    return entry.battle, entry.seq or 0


# In lines


def summary_lines(report: DiceReport) -> Iterator[str]:
    """Tell what was thrown, seat by seat."""
    others = sum(entry.standing != "in force" for entry in report.entries)
    beside = f", {others} of them not in force (taken back, not played or unused)" if others else ""
    yield f"{report.title}: {counted(len(report.entries), 'rolls')} on record{beside}"
    if report.checks.policy:
        yield f"  table rule: setting dice aside is {report.checks.policy}"
    for each in totals(report.entries):
        yield f"  {total_line(each)}"
    remarks = sum(len(entry.remarks) for entry in report.entries)
    if remarks:
        yield f"  {counted(remarks, 'remarks')} on rolls: see the ledger"
    for finding in report.checks.findings:
        yield f"  ! {printable(finding)}"


def luck_lines(report: DiceReport) -> Iterator[str]:
    """Tell who was lucky, against what was to be expected, and how unusual that is."""
    luck = report.luck
    if not luck.looks:
        yield "no checks yet: there is nothing to be lucky with"
        return
    yield looks_sentence(luck.looks)
    yield f"success counts as good luck for the seat that threw{_but(report.bearing)}"
    for heading, group in (("seats", luck.seats), ("kinds of check", luck.kinds), ("pieces", luck.pieces)):
        if group:
            yield f"by {heading}:"
        for each in group:
            yield f"  {printable(each.about)}: {_luck_told(luck, each)}"
    if luck.sums:
        yield "rolls without a target:"
    for sums in luck.sums:
        yield f"  {printable(sums.about)}: {sums_sentence(sums)}{_odd(luck, sums)}"
        if sums.results:
            counts = ", ".join(f"{printable(each.label)} {each.came} ({shown(each.expected)})" for each in sums.results)
            yield f"    results, in brackets what was to be expected: {counts}"
    if luck.streaks:
        yield "streaks:"
    for streak in luck.streaks:
        yield f"  {printable(streak.about)}: {streak_sentence(streak)}{_odd(luck, streak)}"


def _but(bearing: Mapping[str, Bearing]) -> str:
    """Name the kinds of check in which success is no good luck."""
    bad = ", ".join(printable(kind) for kind, each in bearing.items() if each == "bad")
    neither = ", ".join(printable(kind) for kind, each in bearing.items() if each == "neither")
    return (f", as bad luck in {bad}" if bad else "") + (f"; left out, being neither: {neither}" if neither else "")


def _luck_told(luck: LuckReport, each: Luck) -> str:
    weighted = f"; weighted by what was at stake {signed(each.staked)}" if each.weighted else ""
    rare = min(each.at_most, each.at_least)
    expect = f"; {in_so_many(rare)}" if rare < UNUSUAL else ""
    return f"{signed(each.over)}{weighted}; {luck_sentence(each)}{expect}{_odd(luck, each)}"


def _odd(luck: LuckReport, each: Luck | Sums | Streak) -> str:
    return f": {verdict(luck.corrected(each.rarity))}"


def fairness_lines(report: DiceReport) -> Iterator[str]:
    """Tell what the tests of the sources say."""
    fair = report.fairness
    yield fairness_sentence(fair)
    for test in fair.tests:
        yield f"  {printable(result_sentence(fair, test))}"
    for each in rerolled(report.entries):
        yield f"  {printable(each.seat)}, {printable(each.told())}; by chance {per_cent(each.chance)}"
    if fair.tests:
        yield "nothing here stands out" if not fair.flagged else f"{len(fair.flagged)} of these deserve a closer look"


def picture_lines(report: DiceReport, *, luck: bool = True, faces: bool = True) -> Iterator[str]:
    """Draw luck, faces or both as text."""
    for course in report.courses if luck else ():
        yield from luck_text(course)
    for each in report.fairness.faces if faces else ():
        if sum(each.counts):
            yield from faces_lines(each)


# As a page


def dice_html(report: DiceReport) -> Iterator[str]:
    """Yield the report as one HTML page, line by line."""
    yield _HEAD.format(title=_safe(report.title))
    yield f"<h1>The dice of {_safe(report.title)}</h1>"
    yield from _section("What was thrown", summary_lines(report))
    if report.checks.proof:
        yield from _section("Proof", report.checks.proof)
    yield from _section("Luck", luck_lines(report))
    yield from _section("Fairness of the sources", fairness_lines(report))
    yield "<h2>Pictures</h2>"
    yield from figures(report.courses, report.fairness.faces)
    yield from _table(report.entries)
    yield "</main></body></html>"


_HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Dice: {title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
:root {{ color-scheme: light dark; font-family: sans-serif; line-height: 1.4 }}
body {{ margin: 0 auto; max-width: 60rem; padding: 1rem }}
p {{ margin: 0.2rem 0; overflow-wrap: anywhere }}
.in0 {{ margin-top: 0.6rem }} .in1 {{ padding-left: 3rem; text-indent: -1.5rem }} .in2 {{ padding-left: 4.5rem }}
figure {{ margin: 1rem 0 }}
.scroll {{ overflow-x: auto }}
table {{ border-collapse: collapse; font-size: 0.875rem }}
th, td {{ border-bottom: 1px solid; padding: 0.2rem 0.5rem; text-align: left; vertical-align: top }}
</style></head><body><main>"""

_COLUMNS = ("event", "when", "turn", "seat", "piece", "what for", "dice", "faces", "total", "target", "mark")


def _section(heading: str, lines: Iterable[str]) -> Iterator[str]:
    yield f"<h2>{_safe(heading)}</h2>"
    for line in lines:
        words = line.lstrip()
        yield f'<p class="in{min((len(line) - len(words)) // 2, 2)}">{_safe(words)}</p>'


def _table(entries: Sequence[Entry]) -> Iterator[str]:
    yield "<h2>Ledger</h2>"
    if len(entries) > MAX_ROWS:
        yield f"<p>The first {MAX_ROWS} of {len(entries)} rolls; the CSV lists all of them.</p>"
    heads = "".join(f'<th scope="col">{name}</th>' for name in _COLUMNS)
    yield '<div class="scroll"><table><caption>Dropped dice in brackets</caption>'
    yield f"<thead><tr>{heads}</tr></thead><tbody>"
    for entry in entries[:MAX_ROWS]:
        yield "<tr>" + "".join(f"<td>{_safe(cell)}</td>" for cell in _cells(entry)) + "</tr>"
    yield "</tbody></table></div>"


def _cells(entry: Entry) -> tuple[str, ...]:
    where = str(entry.seq) if entry.seq is not None else ""
    added = f" {entry.added:+d}" if entry.added else ""
    return (
        where if entry.line == "main" else f"{entry.line} {where}",
        "" if entry.at is None else rfc3339(entry.at)[:19] + "Z",
        "" if entry.turn is None else str(entry.turn),
        entry.seat,
        entry.piece,
        entry.purpose,
        entry.notation,
        faces_text(entry) + added,
        "" if entry.total is None else str(entry.total),
        verdict_text(entry),
        "; ".join((*badges(entry), *entry.remarks)),
    )


def _safe(text: str) -> str:
    return escape(printable(text))
