"""Checking the record: the chain, every event readable, every revealed die worked out again. Needs no rules."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from events.catalogue import Catalogue, common_facts
from events.corrections import EditionAdopted
from events.dice.expression import NotationError
from events.facts import ActOpened, BattleOpened, DiceCommitted, DiceRolled, Event, Revealed, RollCalled, SecretRevealed
from events.seals import seal_of
from events.store.chain import Chain, origin
from events.store.errors import RecordBroken
from events.store.log import Log, check_link
from events.store.memory import MemoryLog
from events.store.record import Head, Line, Recorded
from projections.battle_state import COMMON_REDUCERS, State
from projections.dice.rolls import dice_of, read_roll
from replays.audit.proof import ALGORITHM, faces, keeps_commitment, roll_message

Progress = Callable[[int], None]


class Verdict(msgspec.Struct, frozen=True, gc=False):
    """What was checked in one battle. `heads` are the digests to keep; `unrevealed` dice await their turn's end."""

    battle: str
    events: int
    heads: dict[str, str]
    proved: int
    entered: int
    kept: int
    unrevealed: int


class Thrown(msgspec.Struct, frozen=True, gc=False):
    """A seeded roll that waits for its turn's secret, of the chain that was committed to when it fell."""

    line: str
    seq: int
    roll: DiceRolled
    ranges: tuple[tuple[int, int], ...]
    text: bytes
    commitment: str


def verify(log: Log, battle: str, progress: Progress = lambda events: None) -> Verdict:
    """Check a whole battle. Raises `RecordBroken`, which names the first event that does not hold.

    >>> from events.facts import BattleOpened, Seat
    >>> from events.store.memory import MemoryLog
    >>> from events.store.record import Draft
    >>> opened = BattleOpened("At the ford", "dresda", "1", (Seat("men", "Men"), Seat("orcs", "Orcs")), "")
    >>> log = MemoryLog()
    >>> _ = log.begin("ford", [Draft(opened, "referee")], 0)
    >>> verify(log, "ford").events
    1
    """
    catalogue = common_facts()
    checks = [_LineCheck(log, catalogue, line, progress) for line in log.lines(battle)]
    for check in checks:
        check.run()
    return Verdict(
        battle,
        sum(check.events for check in checks),
        {check.line.name: check.end.hash for check in checks},
        sum(check.proved for check in checks),
        sum(check.entered for check in checks),
        sum(check.kept for check in checks),
        sum(len(check.thrown) for check in checks),
    )


class _LineCheck:
    """Follows one line from its fork on. The part before belongs to its parent, which is checked as a line too."""

    def __init__(self, log: Log, catalogue: Catalogue, line: Line, progress: Progress) -> None:
        self.log, self.catalogue, self.line, self.progress = log, catalogue, line, progress
        self.chain = Chain(line)
        self.end = Head(0, origin(line.battle))
        self.position = 0
        self.state = State()
        self.calls: dict[str, RollCalled] = {}
        self.thrown: list[Thrown] = []
        self.keys: set[str] = set()
        self.fallen: dict[str, set[tuple[str, tuple[int, ...]]]] = {}
        self.events = self.proved = self.entered = self.kept = 0

    def run(self) -> None:
        """Check every event of the line's own; fold the shared part first."""
        fork = self.line.after if self.line.parent is not None else 0
        for record in self.log.records(self.line, 0, fork):
            self._fold(self.catalogue.read(record.body, record.seq))
            self.end = Head(record.seq, record.hash)
        for record in self.log.records(self.line, fork):
            check_link(self.chain, self.end, record)
            if record.position <= self.position:
                why = f"it stands at position {record.position}, the event before it at {self.position}"
                raise RecordBroken(record.line, record.seq, why)
            self.position = record.position
            self.end = Head(record.seq, record.hash)
            self.events += 1
            self.follow(record, self.catalogue.read(record.body, record.seq))
            if self.events % 1000 == 0:
                self.progress(1000)
        if self.end.seq == 0:
            raise RecordBroken(self.line.name, 1, "an event is missing: a battle begins with its opening")

    def follow(self, record: Recorded, event: Event) -> None:
        """Check what an event says, and let it take its place. Raises `RecordBroken`."""
        if event.kind != record.kind and event.__struct_config__.tag != "unknown":
            raise RecordBroken(record.line, record.seq, f"it is filed as {record.kind}, but is {event.kind}")
        self._check(record, event)
        self._fold(event)

    def _fold(self, event: Event) -> None:
        if isinstance(event, RollCalled):
            self.calls[event.key] = event
        self.state = COMMON_REDUCERS[type(event)](self.state, event)

    def _check(self, record: Recorded, event: Event) -> None:
        match event:
            case BattleOpened() | EditionAdopted():
                self._check_tables(record, event)
            case DiceRolled():
                self._check_roll(record, event)
            case SecretRevealed():
                self._check_reveal(record, event)
            case Revealed():
                self._check_seal(record, event)
            case ActOpened() if event.seq != record.seq:
                raise RecordBroken(record.line, record.seq, f"its act says that it starts at {event.seq}")

    def _check_tables(self, record: Recorded, event: BattleOpened | EditionAdopted) -> None:
        from hashlib import sha256

        text = self.log.document(event.tables) if event.tables else None
        if text is not None and sha256(text.encode()).hexdigest() != event.tables:
            raise RecordBroken(record.line, record.seq, "the rule tables kept beside it are not those it names")

    def _check_roll(self, record: Recorded, roll: DiceRolled) -> None:
        call = self.calls.get(roll.key)
        if call is None or roll.key not in self.state.table.called:
            raise RecordBroken(record.line, record.seq, f"dice for {roll.key!r} fell that nobody called for")
        try:
            reading = read_roll(call, roll.faces)
        except NotationError as error:
            raise RecordBroken(record.line, record.seq, str(error)) from error
        if (reading.total, reading.success) != (roll.total, roll.success):
            raise RecordBroken(
                record.line, record.seq, f"its faces give {reading.total}, {reading.success}, not {roll.total}"
            )
        if roll.source == "kept":
            self._check_kept(record, roll)
            return
        if roll.source != "seeded":
            self.entered += 1
            return
        table = self.state.table
        if roll.algorithm != ALGORITHM or roll.turn != table.turn or table.committed is None or table.act is None:
            raise RecordBroken(record.line, record.seq, "its dice are not drawn from a commitment of this battle")
        text = roll_message(self.line.battle, self.line.name, table, roll.key)
        ranges, commitment = dice_of(call.dice).faces(), table.committed.commitment
        self.thrown.append(Thrown(record.line, record.seq, roll, ranges, text, commitment))

    def _check_seal(self, record: Recorded, event: Revealed) -> None:
        """Hold a revealed order against its receipt, and see that it is the one that was waiting."""
        waiting = {each.digest: (each.seat, each.piece, each.slot) for each in self.state.table.orders if each.digest}
        if seal_of(event.salt, event.text) != event.digest:
            raise RecordBroken(record.line, record.seq, f"the order of {event.piece} is not the one that was sealed")
        if waiting.get(event.digest) not in ((event.seat, event.piece, event.slot), (event.seat, "", "")):
            raise RecordBroken(record.line, record.seq, f"no sealed order of {event.piece} waits under that receipt")

    def _check_kept(self, record: Recorded, roll: DiceRolled) -> None:
        """Check that the same roll showed the same faces on the line that it is kept from."""
        if roll.kept_from not in self.fallen:
            line = self.log.line(self.line.battle, roll.kept_from)
            events = (self.catalogue.read(each.body, each.seq) for each in self.log.records(line))
            rolls = [event for event in events if isinstance(event, DiceRolled)]
            self.fallen[roll.kept_from] = {(each.key, each.faces) for each in rolls}
        if (roll.key, roll.faces) not in self.fallen[roll.kept_from]:
            raise RecordBroken(
                record.line, record.seq, f"the dice for {roll.key!r} did not fall so on {roll.kept_from}"
            )
        self.kept += 1

    def _check_reveal(self, record: Recorded, event: SecretRevealed) -> None:
        committed = self.state.table.committed
        try:
            secret = bytes.fromhex(event.secret)
        except ValueError:
            secret = b""
        if (
            committed is None
            or not secret
            or not keeps_commitment(secret, _index(committed, event.turn), committed.commitment)
        ):
            raise RecordBroken(record.line, record.seq, f"the secret of turn {event.turn} is not the one committed to")
        left = []
        for thrown in self.thrown:
            if (thrown.roll.turn, thrown.commitment) != (event.turn, committed.commitment):
                left.append(thrown)
                continue
            if faces(secret, thrown.text, thrown.ranges) != thrown.roll.faces:
                raise RecordBroken(thrown.line, thrown.seq, f"the dice for {thrown.roll.key!r} are not those drawn")
            self.proved += 1
        self.thrown = left


class WayCheck(_LineCheck):
    """Follows the events that lead to the end of one line, ancestors' first, where no other line is at hand.

    So dice that were kept from a line that was put right are counted and not held against it.
    """

    def __init__(self, line: Line) -> None:
        super().__init__(MemoryLog(), common_facts(), line, lambda events: None)

    @property
    def unproved(self) -> int:
        """How many dice cannot be proved from these events alone."""
        return len(self.thrown) + self.kept

    def _check_kept(self, record: Recorded, roll: DiceRolled) -> None:
        self.kept += 1


def _index(committed: DiceCommitted, turn: int) -> int:
    return turn - committed.first_turn + 1
