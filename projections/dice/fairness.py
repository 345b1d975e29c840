"""Fairness of a source of dice: does it throw every face equally often, and each throw without regard to the last?

Every chance told here holds for any number of dice, few or many: it is worked out exactly or is an upper bound, never
simulated and never read off a curve that fits large numbers only. Four tests look at each kind of die of each source:

* *faces*: the faces are parted in two halves, each half again, and so on for as long as some twenty dice can be
  expected in a part. Given how many fell in a part, how many of them lie in its lower half is exactly binomial; the
  chances of all partings are joined by Fisher's method (Lancaster's partition of goodness of fit).
* *one face*: the face furthest from expectation, exactly binomial, times the number of faces.
* *succession*: by how much each die differs from the one before it, counted round the clock. From a fair source these
  differences are as even as the faces and are tested in the same way.
* *repeats*: the longest stretch of faces that comes twice. Any two stretches of that length agree with a chance of
  1 / sides ** length; times the number of pairs. Imported dice of several people are looked through together as well.

A fifth looks at a person: *best of several* asks whether of rolls with the same label, of which only the last was used,
the last was the best too often.

A source is flagged when a chance times the number of all tests made stays under 5 %: so a fair campaign is flagged in
at most 5 % of cases, however many tests were made and however they hang together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import comb, exp, log
from typing import Literal, TypeAlias

import msgspec

from projections.dice.ledger import Entry, own_throws
from projections.dice.luck import Verdict, either_side, verdict
from projections.dice.luck_text import counted, per_cent
from projections.dice.many_rolls import LEAST, many_equal, successes
from projections.dice.odds import Distribution, distribution, significant
from projections.dice.rolls import dice_of

Method: TypeAlias = Literal["faces", "one face", "succession", "repeats", "best of several"]

FEWEST = 20
"""Fewer dice of a kind are counted but not tested, so that they do not dull the other tests."""
_IN_A_PART = 20
GENERATOR = "the generator"
EVERYBODY = "everybody together"


class FairTest(msgspec.Struct, frozen=True, gc=False):
    """One test: the chance of something as rare from a fair source, and what was seen, in words."""

    source: str
    die: str
    method: Method
    dice: int
    rarity: Fraction
    seen: str


class FairnessReport(msgspec.Struct, frozen=True, gc=False):
    """All tests made. `left_out` counts entered dice, `too_few` dice of kinds with fewer than 20 of them."""

    tests: tuple[FairTest, ...]
    faces: tuple[Faces, ...]
    left_out: int
    too_few: int

    def corrected(self, test: FairTest) -> Fraction:
        """Correct a test's chance for the number of tests made."""
        return min(test.rarity * len(self.tests), Fraction(1))

    def verdict(self, test: FairTest) -> Verdict:
        """Put a test's corrected chance into a word."""
        return verdict(self.corrected(test))

    @property
    def flagged(self) -> tuple[FairTest, ...]:
        """The tests that a fair campaign shows in at most 5 % of cases, all tests together."""
        return tuple(test for test in self.tests if self.verdict(test) != "ordinary")


class Faces(msgspec.Struct, frozen=True, gc=False):
    """How often each face of one kind of die fell: `counts[0]` for face `low`, and so on. Dropped dice count too."""

    source: str
    die: str
    low: int
    counts: tuple[int, ...]


def report_fairness(entries: Iterable[Entry]) -> FairnessReport:
    """Test every source in the ledger, in whatever lines and standing: each die that it threw bears witness once.

    Seeded dice are one source, each person's imported dice are another. Entered dice are left out: they say nothing
    about a generator. Faces are taken in the order of the entries.
    """
    known = [entry for entry in entries if entry.certainty == "dice"]
    throws = own_throws(known)
    streams = _streams(throws)
    left_out = sum(len(entry.faces) for entry in throws if entry.source == "entered")
    ordered = sorted(streams)
    tests = [test for key in ordered for test in _tests(*key, streams[key])]
    tests += _repeats_between(streams, throws)
    counts = [_counted(*key, streams[key]) for key in ordered]
    too_few = sum(len(stream) for stream in streams.values() if len(stream) < FEWEST)
    return FairnessReport((*tests, *best_of_several(known)), tuple(counts), left_out, too_few)


def faces_of(entries: Iterable[Entry]) -> tuple[Faces, ...]:
    """Count the faces of every source and kind of die, untested; which dice count as in `report_fairness`."""
    streams = _streams(own_throws(entry for entry in entries if entry.certainty == "dice"))
    return tuple(_counted(*key, streams[key]) for key in sorted(streams))


def _streams(throws: Iterable[Entry]) -> dict[tuple[str, int, int], list[int]]:
    """Part the faces by source, lowest and highest face, in the order thrown; entered dice are left out."""
    streams: dict[tuple[str, int, int], list[int]] = {}
    for entry in throws:
        if entry.source == "entered":
            continue
        source = GENERATOR if entry.source == "seeded" else entry.seat or "nobody"
        for (low, high), face in zip(_ranges(entry), entry.faces, strict=False):
            streams.setdefault((source, low, high), []).append(face)
    return streams


def _ranges(entry: Entry) -> tuple[tuple[int, int], ...]:
    """Return the faces that each die has, or none where notation and faces do not go together."""
    ranges, faces = _ranges_of(entry.notation), entry.faces
    if len(ranges) != len(faces):
        return ()
    possible = all(low <= face <= high for (low, high), face in zip(ranges, faces, strict=True))
    return ranges if possible else ()


@lru_cache(maxsize=4096)
def _ranges_of(notation: str) -> tuple[tuple[int, int], ...]:
    try:
        return dice_of(notation).faces()
    except ValueError:
        return ()


def _die(low: int, high: int) -> str:
    return "d00" if low == 0 else f"d{high}"


def _counted(source: str, low: int, high: int, stream: Sequence[int]) -> Faces:
    counted = Counter(stream)
    return Faces(source, _die(low, high), low, tuple(counted[face] for face in range(low, high + 1)))


def _tests(source: str, low: int, high: int, stream: Sequence[int]) -> list[FairTest]:
    sides, dice, die = high - low + 1, len(stream), _die(low, high)
    if sides < 2 or dice < FEWEST:
        return []
    counts = _counted(source, low, high, stream).counts
    steps = Counter((after - before) % sides for before, after in pairwise(stream))
    face, of_face = furthest_face(counts)
    found: tuple[tuple[Method, Fraction, str], ...] = (
        ("faces", evenness(counts), f"{dice} dice, {significant(Fraction(dice, sides), 3)} expected of each face"),
        ("one face", of_face, f"{low + face} fell {counts[face]} times in {dice}"),
        (
            "succession",
            evenness([steps[step] for step in range(sides)]),
            f"{steps[0]} of {dice - 1} equal the one before",
        ),
    )
    tests = [FairTest(source, die, method, dice, max(rarity, LEAST), seen) for method, rarity, seen in found]
    return [*tests, _repeats(source, low, high, stream)]


def _repeats(source: str, low: int, high: int, stream: Sequence[int]) -> FairTest:
    sides, dice = high - low + 1, len(stream)
    length, first, second = longest_repeat(stream)
    rarity = max(repeat_chance(dice, sides, length), LEAST)
    return FairTest(source, _die(low, high), "repeats", dice, rarity, _repeat_told(sides, length, first, second))


def _repeats_between(streams: Mapping[tuple[str, int, int], Sequence[int]], throws: Iterable[Entry]) -> list[FairTest]:
    """Look for stretches that come twice in the imported dice of different people: one server may have served both."""
    persons = Counter((low, high) for source, low, high in streams if source != GENERATOR)
    together: dict[tuple[int, int], list[int]] = {die: [] for die, number in sorted(persons.items()) if number > 1}
    for entry in throws:
        if entry.source == "imported":
            for die, face in zip(_ranges(entry), entry.faces, strict=False):
                if die in together:
                    together[die].append(face)
    return [
        _repeats(EVERYBODY, low, high, stream)
        for (low, high), stream in together.items()
        if high > low and len(stream) >= FEWEST
    ]


# How often each face


def evenness(counts: Sequence[int]) -> Fraction:
    """Give the chance of counts as uneven as these from a fair source: exact binomials, joined by Fisher's method.

    Which partings are looked at depends on the sums alone, so the chances are as if each came from a source of its own.

    >>> per_cent(evenness([10, 10, 10, 10, 10, 10])), per_cent(evenness([40, 40, 40, 40, 40, 100]))
    ('100.00 %', '1.25e-6 %')
    """
    chances = list(_partings(counts, sum(counts), len(counts)))
    if not chances:
        return Fraction(1)
    logs = -sum(log(chance) for chance in chances)
    term = total = 1.0
    for place in range(1, len(chances)):
        term *= logs / place
        total += term
    return min(Fraction(exp(-logs) * total), Fraction(1))


def _partings(counts: Sequence[int], dice: int, sides: int) -> Iterable[Fraction]:
    faces = len(counts)
    if faces < 2 or dice * faces < _IN_A_PART * sides:
        return
    half = faces // 2
    yield two_sided(sum(counts), Fraction(half, faces), sum(counts[:half]))
    yield from _partings(counts[:half], dice, sides)
    yield from _partings(counts[half:], dice, sides)


@lru_cache(maxsize=4096)
def two_sided(trials: int, chance: Fraction, hits: int) -> Fraction:
    """Give the chance of hits as far from expectation, on either side: twice the smaller tail, exactly."""
    odds = _binomial(trials, chance)
    return max(either_side(odds.chance_at_most(hits), odds.chance_at_least(hits)), LEAST)


@lru_cache(maxsize=256)
def _binomial(trials: int, chance: Fraction) -> Distribution:
    return many_equal(trials, chance)


def furthest_face(counts: Sequence[int]) -> tuple[int, Fraction]:
    """Find the place of the face that is furthest from expectation, and the chance that any face is."""
    dice, sides = sum(counts), len(counts)
    chances = [two_sided(dice, Fraction(1, sides), count) for count in counts]
    rarest = min(chances)
    return chances.index(rarest), min(rarest * sides, Fraction(1))


# Streams that come twice


def longest_repeat(stream: Sequence[int]) -> tuple[int, int, int]:
    """Find the longest stretch that comes twice: its length and where it begins first and again (from 0).

    >>> longest_repeat([3, 1, 4, 1, 5, 3, 1, 4, 2])
    (3, 0, 5)
    """
    names = [_named(stream, stream)]  # names[j][i] is one name for the stretch of 2 ** j faces that begins at i
    found = _twice(names[0], 1)
    while found[0] == 2 ** (len(names) - 1):
        last, width = names[-1], found[0]
        names.append(_named(last, last[width:]))
        found = max(found, _twice(names[-1], 2 * width))
    low, high = found[0], 2 ** (len(names) - 1)
    while low + 1 < high:  # stretches of `low` faces come twice, those of `high` do not
        length = (low + high) // 2
        part = names[length.bit_length() - 1]
        if (longer := _twice(_named(part, part[length - (1 << length.bit_length() - 1) :]), length))[0]:
            low, found = length, longer
        else:
            high = length
    return found


def _named(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """Give one name to each pair of names: equal pairs, equal names."""
    known: dict[int, int] = {}
    space = max(left, default=0) + max(right, default=0) + 1
    return [known.setdefault(one * space + other, len(known)) for one, other in zip(left, right, strict=False)]


def _twice(names: Sequence[int], length: int) -> tuple[int, int, int]:
    """Find the first name that comes again: length and both places, or zeros."""
    places: dict[int, int] = {}
    for place, name in enumerate(names):
        first = places.setdefault(name, place)
        if first != place:
            return length, first, place
    return 0, 0, 0


def repeat_chance(dice: int, sides: int, length: int) -> Fraction:
    """Bound the chance that so many fair dice hold a stretch of this length twice."""
    pairs = comb(dice - length + 1, 2)
    return min(Fraction(pairs, sides**length), Fraction(1)) if length else Fraction(1)


def _repeat_told(sides: int, length: int, first: int, second: int) -> str:
    pair = Fraction(1, sides**length)
    run = "1 face comes" if length == 1 else f"{length} faces in a row come"
    return (
        f"{run} twice, from the {first + 1}. die and from the {second + 1}.: "
        f"chance {significant(pair, 2)} ({sides}^-{length}) for one pair"
    )


# Rolled until good


class Rerolled(msgspec.Struct, frozen=True, gc=False):
    """Rolls with one label of which the last was used. `chance` is how likely it was that the last is the best."""

    seat: str
    label: str
    unused: int
    best: bool
    chance: Fraction

    def told(self) -> str:
        """Tell it in one line, without accusing."""
        rolls = "1 earlier roll" if self.unused == 1 else f"{self.unused} earlier rolls"
        return (
            f"{self.label}: {rolls} with same label unused, {'best used' if self.best else 'a better one was not used'}"
        )


def rerolled(entries: Iterable[Entry]) -> tuple[Rerolled, ...]:
    """Find rolls that were used after others with the same label, by the same seat with the same dice, were not.

    The label of a roll in a battle is its key, which tells one attempt from another; that of imported dice is what
    their owner wrote beside them. Rolls without a label accuse nobody.
    """
    waiting: dict[tuple[str, str, str], list[Entry]] = {}
    found = []
    for entry in own_throws(entries):
        label = (entry.purpose if entry.source == "imported" else entry.key).strip()
        mark = (entry.seat, label.casefold(), entry.notation)
        if not label or entry.total is None:
            continue
        if entry.standing in ("surplus", "taken back"):
            waiting.setdefault(mark, []).append(entry)
        elif entry.standing == "in force" and (earlier := waiting.pop(mark, None)):
            found.append(_rerolled(label, entry, earlier))
    return tuple(found)


def _rerolled(label: str, used: Entry, earlier: Sequence[Entry]) -> Rerolled:
    low_is_good = used.test in ("at_most", "below")
    sign = -1 if low_is_good else 1
    worths = [sign * (each.total or 0) for each in earlier]
    best = sign * (used.total or 0) >= max(worths)
    return Rerolled(used.seat, label, len(earlier), best, _last_is_best(used.notation, len(earlier), low_is_good))


@lru_cache(maxsize=1024)
def _last_is_best(notation: str, others: int, low_is_good: bool) -> Fraction:
    """Give the chance that the last of equal rolls is no worse than each of the others; 1 where it is not known."""
    if not _ranges_of(notation):
        return Fraction(1)
    odds = distribution(dice_of(notation))
    weights = odds.weights[::-1] if low_is_good else odds.weights
    below = worse = 0
    for weight in weights:
        below += weight
        worse += weight * below**others
    return Fraction(worse, odds.cases ** (others + 1))


def best_of_several(entries: Iterable[Entry]) -> list[FairTest]:
    """Test each seat that has rerolled: was the roll that it used the best more often than chance would have it?"""
    seats: dict[str, list[Rerolled]] = {}
    for each in rerolled(entries):
        seats.setdefault(each.seat, []).append(each)
    tests = []
    for seat in sorted(seats):
        best = sum(each.best for each in seats[seat])
        odds = successes(Counter(each.chance for each in seats[seat]))
        told = "; ".join(each.told() for each in seats[seat][:3])
        more = f" and {len(seats[seat]) - 3} more" if len(seats[seat]) > 3 else ""
        rolls = sum(each.unused for each in seats[seat])
        tests.append(
            FairTest(seat, "any", "best of several", rolls, max(odds.chance_at_least(best), LEAST), told + more)
        )
    return tests


# A generator that can be laid open


def face_shares(read: Callable[[int], int | None], numbers: Iterable[int]) -> dict[int, int]:
    """Count how many of a generator's raw numbers give each face; None means that a number is thrown away.

    >>> face_shares(lambda byte: byte % 6 + 1, range(256))
    {1: 43, 2: 43, 3: 43, 4: 43, 5: 42, 6: 42}
    """
    shares: dict[int, int] = {}
    for number in numbers:
        face = read(number)
        if face is not None:
            shares[face] = shares.get(face, 0) + 1
    return dict(sorted(shares.items()))


def is_even(shares: Mapping[int, int]) -> bool:
    """Tell whether every face has the same share: this needs no statistics, the numbers are all there."""
    return len(set(shares.values())) <= 1


def fairness_sentence(report: FairnessReport) -> str:
    """Say how many tests were made, how a chance is corrected for that, and what was left out."""
    tests = "1 test was" if len(report.tests) == 1 else f"{len(report.tests)} tests were"
    entered = f"; {counted(report.left_out, 'dice')} entered by hand left out" if report.left_out else ""
    few = f"; {counted(report.too_few, 'dice')} of kinds with fewer than {FEWEST} not tested" if report.too_few else ""
    return f"{tests} made; a corrected chance is a chance times that number{entered}{few}"


def result_sentence(report: FairnessReport, test: FairTest) -> str:
    """Tell one test in one line."""
    corrected, verdict = report.corrected(test), report.verdict(test)
    seen = test.seen
    if test.method == "repeats" and verdict != "ordinary":
        seen = seen.replace(": chance", ": same stream, chance")
    return (
        f"{test.die} of {test.source}, {test.method}: {seen}; chance {per_cent(test.rarity)}, "
        f"corrected {per_cent(corrected)}: {verdict}"
    )
