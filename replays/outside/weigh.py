"""Weighing a roll from outside: what is certain of it, and whether its sums and faces hold. Nothing is mended."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import PurePath
from typing import Final

import msgspec

from events.dice.expression import NotationError, Target
from projections.dice.ledger import Certainty, Entry, chance_of
from replays.outside.digits import readings
from replays.outside.found import Finding, Found, Run, Shown
from replays.outside.printed import deal
from replays.outside.sums import Dialect, Sum, SumUnreadable, fits, read_sum, short

MAX_TOLD: Final = 6
"""Readings that are listed with an ambiguous roll."""


class _Known(msgspec.Struct):
    """What is known of one roll while it is weighed."""

    certainty: Certainty
    faces: tuple[int, ...] = ()
    kept: tuple[bool, ...] = ()
    total: int | None = None
    remarks: tuple[str, ...] = ()


class Scales:
    """Weighs the rolls of one log. `findings` gathers what does not hold."""

    def __init__(self, path: str, reader: str) -> None:
        self.path = path
        self.reader = reader
        self.findings: list[Finding] = []
        self.problems: list[str] = []
        self.line = 0
        self.sums: dict[tuple[str, Dialect, int], tuple[Sum, str]] = {}

    def weigh(self, found: Found, seat: str) -> Entry:
        """Turn a roll as found into an entry of the ledger; each problem is a finding and a remark of the entry."""
        self.line, self.problems = found.line, []
        try:
            dice, notation = self._sum(found)
        except SumUnreadable as error:
            known = self._without_sum(found, str(error))
            notation = found.asked.strip()
        else:
            known = self._with_sum(found, dice)
        success, chance = _judged(found, notation, known.total)
        return Entry(
            battle=PurePath(self.path).name,
            line="",
            seq=None,
            at=found.post.at,
            seat=seat,
            piece=found.piece,
            purpose=found.label,
            key=found.key or found.post.key,
            notation=notation,
            faces=known.faces,
            kept=known.kept,
            total=known.total,
            source="imported",
            certainty=known.certainty,
            test=found.test,
            target=found.target,
            success=success,
            chance=chance,
            standing="surplus" if found.unused else "in force",
            dialect=found.dialect,
            raw=found.raw,
            place=f"{self.path}, line {found.line} ({self.reader})",
            remarks=(*found.remarks, *self.problems, *known.remarks),
        )

    def _sum(self, found: Found) -> tuple[Sum, str]:
        """Read the dice of a roll, the same ones only once. A log has few spellings, and they live as long as it."""
        key = found.asked, found.dialect, id(found.spelling)
        if key not in self.sums:
            dice = read_sum(found.asked, found.dialect, found.spelling)
            self.sums[key] = dice, dice.notation()
        return self.sums[key]

    def problem(self, code: str, message: str) -> None:
        """Report something that does not hold, once as a finding and once with the roll."""
        self.findings.append(Finding(self.path, self.line, code, message))
        self.problems.append(message)

    def _without_sum(self, found: Found, why: str) -> _Known:
        """Keep what can be kept of a roll whose dice are written in a way that is not known."""
        self.problem("dice/unreadable", f"the dice cannot be read: {why}")
        shown = [each for each in found.printed or () if isinstance(each, Shown)]
        if not shown or any(isinstance(each, Run) for each in found.printed or ()):
            return _Known("total", total=found.total)
        faces = tuple(face for each in shown for face in each.faces)
        kept = tuple(mark for each in shown for mark in each.kept or (True,) * len(each.faces))
        return _Known("dice", faces, kept, found.total)

    def _with_sum(self, found: Found, dice: Sum) -> _Known:
        if found.printed is None:
            return self._total_only(found, dice)
        try:
            if any(isinstance(each, Run) for each in found.printed):
                return self._from_digits(found, dice)
            return self._from_dice(found, dice, deal(dice, found.printed, flat=found.flat))
        except SumUnreadable as error:
            self.problem("dice/misfit", f"what is shown does not fit {short(dice.text)}: {error}")
            return _Known("total", total=found.total)

    def _total_only(self, found: Found, dice: Sum) -> _Known:
        """Know the total, and the die too if there is one die and one face that gives this total."""
        if found.total is None:
            self.problem("total/missing", "neither faces nor a total are given")
            return _Known("total")
        bounds = dice.bounds()
        if bounds and not (bounds[0] - 1 < found.total < bounds[1] + 1):
            low, high = (_number(bound) for bound in bounds)
            self.problem("total/impossible", f"{found.total} cannot come from {short(dice.text)}: {low} to {high}")
            return _Known("total", total=found.total)
        face = _only_face(dice, found.total)
        if face is None:
            return _Known("total", total=found.total)
        return _Known("dice", (face,), (True,), found.total, ("the face is worked out from the total",))

    def _from_dice(self, found: Found, dice: Sum, dealt: Sequence[Shown]) -> _Known:
        faces: list[int] = []
        kept: list[bool] = []
        worths: list[int] = []
        sure = True
        for term, shown in zip(dice.terms, dealt, strict=True):
            own = term.kept(shown.faces)
            if not term.altered:
                if len(shown.faces) != term.count:
                    self.problem("faces/count", f"{term} shows {_dice(len(shown.faces))}")
                    sure = False
                self._possible(term.low, term.high, shown.faces)
                if shown.kept is not None and _counted(shown.faces, shown.kept) != _counted(shown.faces, own):
                    self.problem("kept/wrong", f"{term} of {_list(shown.faces)} marks other dice than it should keep")
            elif shown.kept is None:
                sure = False
            marks = shown.kept or own
            faces += shown.faces
            kept += marks
            worths.append(sum(face for face, mark in zip(shown.faces, marks, strict=True) if mark))
        value = dice.value(worths)
        total, remarks = self._check_total(found, dice, value, worths, sure=sure)
        return _Known("dice", tuple(faces), tuple(kept), total, remarks)

    def _possible(self, low: int, high: int, faces: Sequence[int]) -> None:
        for face in faces:
            if not low <= face <= high:
                self.problem("faces/impossible", f"a die shows {face}, but its faces are {low} to {high}")

    def _check_total(
        self, found: Found, dice: Sum, value: Fraction | None, worths: Sequence[int], *, sure: bool
    ) -> tuple[int | None, tuple[str, ...]]:
        """Hold the stated total against the dice. `sure` is False where the dice leave it open what they come to."""
        if value is None:
            self.problem("sum/nothing", f"{short(dice.text)} divides by nothing")
            return found.total, ()
        if found.total is None:
            if sure and value.denominator == 1:
                return int(value), ()
            return None, ()
        if fits(value, found.total):
            return found.total, ()
        if not sure:
            return found.total, ("the total is not checked",)
        other = read_sum(dice.text, "left-to-right" if dice.dialect == "math" else "math", found.spelling).value(worths)
        hint = ""
        if other is not None and fits(other, found.total):
            hint = f" (it would be right {'from left to right' if dice.dialect == 'math' else 'with × before +'})"
        self.problem("sum/wrong", f"{short(dice.text)} comes to {_number(value)}, but {found.total} is stated{hint}")
        return found.total, ()

    def _from_digits(self, found: Found, dice: Sum) -> _Known:
        """Read run-together digits: one reading is knowledge, several are listed, none is a finding."""
        assert found.printed is not None
        read = readings(dice, found.printed, found.total)
        if len(read.fitting) == 1:
            known = self._from_dice(found, dice, read.fitting[0])
            order = () if read.ordered else ("the order of the dice is not known",)
            return msgspec.structs.replace(known, remarks=(*known.remarks, *order))
        if not read.fitting and len(read.all) == 1:
            return self._from_dice(found, dice, read.all[0])
        if not read.fitting:
            self.problem("sum/none", f"the sum does not fit: no reading of the digits gives {found.total}")
        candidates = read.fitting or read.all
        told = " or ".join(
            _list([face for each in reading for face in each.faces]) for reading in candidates[:MAX_TOLD]
        )
        more = f" or {len(candidates) - MAX_TOLD} more" if len(candidates) > MAX_TOLD else ""
        return _Known("ambiguous", total=found.total, remarks=(f"can be read as {told}{more}",))


def _judged(found: Found, notation: str, total: int | None) -> tuple[bool | None, tuple[int, int] | None]:
    """Tell whether a roll met its target, and how likely that was, if our notation can say the dice."""
    if found.test == "read" or found.target is None or total is None:
        return None, None
    try:
        chance = chance_of(notation, found.test, found.target)
    except NotationError:
        chance = None
    return Target(found.test, found.target).met(total), chance


def _only_face(dice: Sum, total: int) -> int | None:
    """Find the face of a lone die that gives a total, if it is the only one. Cost: one reckoning per face."""
    if len(dice.terms) != 1 or dice.terms[0].count != 1 or dice.terms[0].altered or dice.terms[0].high > 1_000:
        return None
    term = dice.terms[0]
    found = [
        face
        for face in range(term.low, term.high + 1)
        if (value := dice.value([face if term.keep else 0])) is not None and fits(value, total)
    ]
    return found[0] if len(found) == 1 else None


def _counted(faces: Sequence[int], marks: Sequence[bool]) -> list[int]:
    return sorted(face for face, mark in zip(faces, marks, strict=True) if mark)


def _number(value: Fraction) -> str:
    return str(value) if len(str(value)) <= 20 else f"{str(value)[:20]}…"


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def _list(faces: Sequence[int]) -> str:
    return ", ".join(map(str, faces[:20])) + (", …" if len(faces) > 20 else "")
