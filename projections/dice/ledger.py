"""The dice ledger: every die ever thrown in a battle, in any line, and dice from elsewhere, in one neutral form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from events.catalogue import common_facts
from events.corrections import Superseded
from events.dice.expression import NotationError
from events.dice.notation import Target
from events.facts import ActOpened, Chance, DiceCommitted, DicePartlyEntered, DiceRolled, Event, RollCalled, Test
from events.store.log import MAIN, Log, segments
from events.store.record import Line, Recorded
from projections.dice.odds import chance_to_meet
from projections.dice.rolls import dice_of

Source: TypeAlias = Literal["seeded", "entered", "imported", "kept"]
Standing: TypeAlias = Literal["in force", "taken back", "what-if", "surplus"]
Certainty: TypeAlias = Literal["dice", "total", "ambiguous"]


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One roll, wherever it came from. What a source does not tell is None or empty, never guessed.

    * `seat` is the side or person that threw; `piece` what it was thrown for; `purpose` the words that went with it.
    * `notation` is canonical (see `events.dice.notation`), or as written if that cannot be read; `dialect` names the
      way in which a foreign sum was worked out, where that matters.
    * `faces` holds every face in the order thrown, dropped ones too, and `kept` tells for each whether it counts. With
      `certainty` "total" both are empty; "ambiguous" means that the source can be read in more ways than one.
    * `added` is what terms outside the notation add to the dice.
    * `chance` is that of success as (of, out_of); `chances` tells the chance of each result of a roll read in a table.
    * `kind` sorts rolls for statistics; without one the purpose does. `stream` names dice that what-if lines share.
    * `source` "kept" is no new throw: the same dice lie on another line, which a ruling put right.
    * `against` is the key of the roll that this one is compared with, if two are.
    * `at` is microseconds UTC. `raw` is the source's own text, untouched, `place` where it stands, and `remarks` what
      its reader noticed, such as a sum that is wrong: reported, never mended.
    """

    battle: str
    line: str
    seq: int | None
    at: int | None
    seat: str
    piece: str
    purpose: str
    key: str
    notation: str
    faces: tuple[int, ...]
    kept: tuple[bool, ...]
    total: int | None
    source: Source
    standing: Standing = "in force"
    certainty: Certainty = "dice"
    test: Test = "read"
    target: int | None = None
    success: bool | None = None
    chance: tuple[int, int] | None = None
    chances: tuple[Chance, ...] = ()
    added: int = 0
    turn: int | None = None
    act: str = ""
    rule: str = ""
    against: str = ""
    dialect: str = ""
    kind: str = ""
    stream: str = ""
    raw: str = ""
    place: str = ""
    remarks: tuple[str, ...] = ()


def read_ledger(log: Log, battle: str) -> tuple[Entry, ...]:
    """Return every roll of a battle, line by line, each line's own rolls in the order in which they fell.

    Needs no rules and proves nothing, so it also reads records that do not hold; a fact that cannot be read raises
    `EventUnreadable`. Some ten microseconds a roll, whatever the number of lines.
    """
    lines = log.lines(battle)
    readers = {line.name: _LineReader(log, line) for line in lines}
    for line in lines:
        if (owner := _owner(line, readers)) is not None:
            owner.forks.append(readers[line.name])
    for line in lines:  # parents come before their forks
        readers[line.name].run()
    played = _played(log, lines, {name: reader.superseded_by for name, reader in readers.items()})
    names = frozenset(name for reader in readers.values() for name in reader.names)
    return tuple(entry for line in lines for entry in readers[line.name].entries(played, names))


def line_ledger(log: Log, line: Line) -> tuple[Entry, ...]:
    """Return the rolls that led to where a line stands now, in the order in which they fell: all of them in force.

    Rolls of lines that it forks from belong to it, up to the fork. Cost: that of `read_ledger`.
    """
    by_name = {each.name: each for each in log.lines(line.battle)}
    upto = {part.line: part.upto for part in segments(by_name, line, 0, log.head(line).seq)}
    return tuple(
        replace(entry, standing="in force")
        for entry in sorted(read_ledger(log, line.battle), key=lambda entry: entry.seq or 0)
        if entry.standing != "surplus" and (entry.seq or 0) <= upto.get(entry.line, -1)
    )


class _Fallen(msgspec.Struct, frozen=True, gc=False):
    """A roll as the record has it, with what stood around it."""

    seq: int
    at: int
    call: RollCalled | None
    rolled: DiceRolled
    act: str
    stream: str


class _LineReader:
    """Goes through the events of a line's own, and hands what stands at their forks to the lines that begin there."""

    def __init__(self, log: Log, line: Line) -> None:
        self.log, self.line = log, line
        self.forks: list[_LineReader] = []
        self.calls: dict[str, RollCalled] = {}
        self.fallen: list[_Fallen] = []
        self.names: set[str] = set()
        self.partly: dict[str, _Fallen] = {}
        self.act = self.stream = self.superseded_by = ""

    def run(self) -> None:
        """Read the line to its end."""
        read = common_facts().read
        waiting = sorted(self.forks, key=lambda fork: fork.line.after, reverse=True)
        for record in self.log.records(self.line, self.line.after if self.line.parent is not None else 0):
            while waiting and waiting[-1].line.after < record.seq:
                waiting.pop().begin(self)
            if record.kind in _TELLING:
                self.take(record, read(record.body, record.seq))
        for fork in waiting:
            fork.begin(self)

    def begin(self, owner: _LineReader) -> None:
        """Take over what stands at the fork."""
        self.calls, self.act, self.stream = dict(owner.calls), owner.act, owner.stream

    def take(self, record: Recorded, event: Event) -> None:
        """Note what a fact has to do with dice."""
        match event:
            case RollCalled():
                self.calls[event.key] = event
                self.names.update((event.piece, event.seat))
            case DiceRolled():
                call = self.calls.pop(event.key, None)
                self.partly.pop(event.key, None)
                self.fallen.append(_Fallen(record.seq, record.at, call, event, self.act, self.stream))
            case DicePartlyEntered():
                self.take_part(record, event)
            case ActOpened():
                self.act = event.name
            case DiceCommitted():
                self.stream = event.stream
            case Superseded():
                self.superseded_by = event.by_line

    def take_part(self, record: Recorded, event: DicePartlyEntered) -> None:
        """Note faces that were entered before the others: until those come they are a roll without a total."""
        before = self.partly.get(event.key)
        faces = (*(before.rolled.faces if before else ()), *event.faces)
        rolled = DiceRolled(event.key, faces, 0, None, "entered", 0)
        self.partly[event.key] = _Fallen(
            record.seq, record.at, self.calls.get(event.key), rolled, self.act, self.stream
        )  # fmt: skip

    def entries(self, played: Mapping[str, int], names: frozenset[str]) -> Iterator[Entry]:
        """Give the line's own rolls as entries. `played` tells up to which event each line is the battle's history."""
        upto = played.get(self.line.name, -1)
        other: Standing = "taken back" if self.line.played else "what-if"
        for each in self.fallen:
            standing: Standing = "in force" if each.seq <= upto else other
            entry = _entry(self.line, each, standing if each.call is not None else "surplus", names)
            yield entry
            if each.rolled.surplus:
                yield _without_result(
                    entry, each.rolled.surplus, "surplus", "more dice than were called for: set aside"
                )
        for each in self.partly.values():
            entry = _entry(self.line, each, "in force" if each.seq <= upto else other, names)
            yield _without_result(entry, each.rolled.faces, entry.standing, "the other dice are waited for")


_TELLING = frozenset(("roll", "table", "ruling"))
"""The kinds of the facts that a ledger is made from; the rest is not even decoded."""


def _owner(line: Line, readers: Mapping[str, _LineReader]) -> _LineReader | None:
    """Find the line that the event before a fork belongs to: the parent, or one of its ancestors."""
    parent = line.parent
    while parent is not None:
        owner = readers[parent]
        if owner.line.parent is None or line.after > owner.line.after:
            return owner
        parent = owner.line.parent
    return None


def _played(log: Log, lines: Sequence[Line], superseded: Mapping[str, str]) -> dict[str, int]:
    """Tell for each line that the battle's history runs through up to which event it does so."""
    by_name = {line.name: line for line in lines}
    line = by_name[MAIN]
    for _ in lines:
        line = by_name.get(superseded[line.name], line)
    return {part.line: part.upto for part in segments(by_name, line, 0, log.head(line).seq)}


def _entry(line: Line, fallen: _Fallen, standing: Standing, names: frozenset[str]) -> Entry:
    call, rolled = fallen.call, fallen.rolled
    if call is None:
        call = RollCalled(rolled.key, "", "", "", "", "read")
    kept, chance, remarks = _judged(call, rolled)
    return Entry(
        battle=line.battle,
        line=line.name,
        seq=fallen.seq,
        at=fallen.at,
        seat=call.seat,
        piece=call.piece,
        purpose=call.purpose,
        key=rolled.key,
        notation=call.dice,
        faces=rolled.faces,
        kept=kept,
        total=rolled.total,
        source=rolled.source,
        standing=standing,
        test=call.test,
        target=None if call.test == "read" else call.target,
        success=rolled.success,
        chance=chance,
        chances=call.chances if call.test == "read" else (),
        added=_added(call),
        turn=rolled.turn,
        act=fallen.act,
        rule=call.rule,
        against=call.against,
        kind=_kind(rolled.key, names),
        stream=fallen.stream,
        place=rolled.kept_from,
        remarks=remarks,
    )


def _without_result(entry: Entry, faces: tuple[int, ...], standing: Standing, remark: str) -> Entry:
    """Tell of dice that decided nothing, for they were too many, or decide nothing yet."""
    kept = (standing != "surplus",) * len(faces)
    return replace(
        entry, faces=faces, kept=kept, total=None, test="read", target=None, success=None, chance=None, chances=(),
        turn=entry.turn or None, standing=standing, remarks=(remark,),
    )  # fmt: skip


def _added(call: RollCalled) -> int:
    return sum(term.value for term in call.terms) if call.adds_to == "total" else 0


def _judged(call: RollCalled, rolled: DiceRolled) -> tuple[tuple[bool, ...], tuple[int, int] | None, tuple[str, ...]]:
    """Work out which dice count and how likely success was; say where the record states another chance."""
    try:
        kept = dice_of(call.dice).kept(rolled.faces) if call.dice else (True,) * len(rolled.faces)
    except NotationError as error:
        return (True,) * len(rolled.faces), None, (str(error),)
    if call.test == "read":
        return kept, None, () if call.dice else ("nobody had called for these dice",)
    chance = chance_of(call.dice, call.test, call.target - _added(call))
    stated = call.chances[0] if call.chances else None
    if stated is not None and stated.of * chance[1] != chance[0] * stated.out_of:
        differs = (
            f"the record states a chance of {stated.of} in {stated.out_of}, the dice give {chance[0]} in {chance[1]}"
        )
        return kept, chance, (differs,)
    return kept, chance, ()


@lru_cache(maxsize=4096)
def chance_of(notation: str, test: Test, target: int) -> tuple[int, int]:
    """Give the exact chance that dice meet a target, as (of, out_of) in lowest terms. Raises `NotationError`.

    >>> chance_of("1d100", "at_most", 45)
    (9, 20)
    """
    if test == "read":
        raise ValueError("a roll that is read in a table meets no target")
    return chance_to_meet(dice_of(notation), Target(test, target)).as_integer_ratio()


_NUMBER = re.compile(r"t?\d+")
_JOINTS = re.compile(r"[<>~.:]")


@lru_cache(maxsize=65536)
def _kind(key: str, names: frozenset[str]) -> str:
    """Tell what sort of roll a key is for: its words without turns, rounds, seats, pieces and pairs of pieces.

    >>> _kind("t3/missile/grubnik>aldric/hit", frozenset(("grubnik", "aldric")))
    'missile/hit'
    """
    words = [word for word in key.split("/") if not _NUMBER.fullmatch(word)]
    return "/".join(word for word in words if not names.intersection(_JOINTS.split(word)))


# Choosing


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """Which rolls are asked for; None is any. `kind` is read as by `is_kind`."""

    seat: str | None = None
    piece: str | None = None
    kind: str | None = None
    turn: int | None = None
    line: str | None = None
    standing: Standing | None = None
    source: Source | None = None

    def holds(self, entry: Entry) -> bool:
        """Tell whether a roll fits everything that is asked for."""
        return (
            (self.kind is None or is_kind(kind_of(entry), self.kind))
            and self.seat in (None, entry.seat)
            and self.piece in (None, entry.piece)
            and self.turn in (None, entry.turn)
            and self.line in (None, entry.line)
            and self.standing in (None, entry.standing)
            and self.source in (None, entry.source)
        )


def select(entries: Iterable[Entry], asked: Selection) -> tuple[Entry, ...]:
    """Return the rolls that fit everything asked for, in their order."""
    return tuple(entry for entry in entries if asked.holds(entry))


def kind_of(entry: Entry) -> str:
    """Return what sort of roll it is: its kind, or else its purpose."""
    return entry.kind or entry.purpose or "unnamed"


def is_kind(kind: str, name: str) -> bool:
    """Tell whether a kind of roll goes by a name: a word of it, or several in a row.

    >>> is_kind("missile/hit", "missile"), is_kind("missile/hit", "hit"), is_kind("missile/hit", "his")
    (True, True, False)
    """
    return f"/{name}/" in f"/{kind}/"


def own_throws(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Leave out what is no throw of its own: dice kept from another line, and dice that what-if lines share."""
    found, shared = [], set()
    for entry in entries:
        if entry.source == "kept":
            continue
        if entry.stream:
            mark = (entry.battle, entry.stream, entry.key)
            if mark in shared:
                continue
            shared.add(mark)
        found.append(entry)
    return tuple(found)


class Totals(msgspec.Struct, frozen=True, gc=False):
    """What one seat threw. `expected` successes are exact, as a fraction; `by_hand` counts rolls that were entered."""

    seat: str
    rolls: int
    dice: int
    checks: int
    successes: int
    expected: Fraction
    by_hand: int


def totals(entries: Iterable[Entry]) -> tuple[Totals, ...]:
    """Count rolls, dice, checks and successes per seat, seats in order of their names."""
    seats: dict[str, list[Entry]] = {}
    for entry in entries:
        seats.setdefault(entry.seat, []).append(entry)
    return tuple(_totals(seat, seats[seat]) for seat in sorted(seats))


def _totals(seat: str, entries: Sequence[Entry]) -> Totals:
    checks = [entry for entry in entries if entry.success is not None and entry.chance is not None]
    equal = Counter(entry.chance for entry in checks if entry.chance is not None)
    return Totals(
        seat,
        len(entries),
        sum(len(entry.faces) for entry in entries),
        len(checks),
        sum(bool(entry.success) for entry in checks),
        sum((times * Fraction(*chance) for chance, times in equal.items()), Fraction(0)),
        sum(entry.source == "entered" for entry in entries),
    )
