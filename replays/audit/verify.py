"""Checking the record: the chain, every event readable, every revealed die worked out again. Needs no rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from events.catalogue import Catalogue, common_facts
from events.corrections import Corrected, EditionAdopted
from events.dice.expression import NotationError
from events.facts import (
    ActOpened,
    BattleOpened,
    DiceCommitted,
    DiceRecommitted,
    DiceRolled,
    Event,
    Revealed,
    RollCalled,
    RootRevealed,
    SecretRevealed,
)
from events.seals import seal_of
from events.store.chain import Chain, origin
from events.store.errors import RecordBroken
from events.store.leaves import is_leaf
from events.store.log import Log, check_link
from events.store.memory import MemoryLog
from events.store.record import Head, Line, Recorded
from projections.battle_state import COMMON_REDUCERS, State
from projections.dice.rolls import dice_of, read_roll
from replays.audit.algorithms import KNOWN_ALGORITHMS, act_content, roll_message
from replays.audit.lineage import ALGORITHM_2, chain_root, lineage_of, root_commitment
from replays.audit.proof import commitment_of, faces, keeps_commitment

MAX_TURNS, MAX_TURN = 10_000, 2**31
"""How many turns a commitment may cover, and the last that it may begin with: what a forger could ask to be hashed."""

Progress = Callable[[int], None]


class Verdict(msgspec.Struct, frozen=True, gc=False):
    """What was checked in one battle. `heads` are the digests to keep; `unrevealed` dice await their turn's end.

    `lost` dice can never be proved: the dice got another keeper before their secret came out. `unknown` ones were drawn
    by an algorithm that this version does not know.
    """

    battle: str
    events: int
    heads: dict[str, str]
    proved: int
    entered: int
    kept: int
    unrevealed: int
    lost: int = 0
    unknown: int = 0


class Thrown(msgspec.Struct, frozen=True, gc=False):
    """A seeded roll that waits for its turn's secret, of the chain that was committed to when it fell."""

    line: str
    seq: int
    roll: DiceRolled
    ranges: tuple[tuple[int, int], ...]
    text: bytes
    commitment: str


def verify(log: Log, battle: str, progress: Progress = lambda events: None, *, delayed: bool = False) -> Verdict:
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
    checks = [_LineCheck(log, catalogue, line, progress, delayed=delayed) for line in log.lines(battle)]
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
        sum(check.lost for check in checks),
        sum(check.unknown for check in checks),
    )


class _LineCheck:
    """Follows one line from its fork on. The part before belongs to its parent, which is checked as a line too."""

    def __init__(
        self, log: Log, catalogue: Catalogue, line: Line, progress: Progress, *, delayed: bool = False
    ) -> None:
        self.log, self.catalogue, self.line, self.progress = log, catalogue, line, progress
        self.chain = Chain(line)
        self.delayed = delayed
        self.end = Head(0, origin(line.battle))
        self.position = 0
        self.state = State()
        self.calls: dict[str, RollCalled] = {}
        self.thrown: list[Thrown] = []
        self.keys: set[str] = set()
        self.fallen: dict[str, set[tuple[str, tuple[int, ...]]]] = {}
        self.corrected: Corrected | None = None
        self.replaced: dict[str, int] = {}
        self._last: Event | None = None
        self.events = self.proved = self.entered = self.kept = self.lost = self.unknown = 0

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
        self._check_missing()

    def follow(self, record: Recorded, event: Event) -> None:
        """Check what an event says, and let it take its place. Raises `RecordBroken`."""
        if event.kind != record.kind and event.__struct_config__.tag != "unknown":
            raise RecordBroken(record.line, record.seq, f"it is filed as {record.kind}, but is {event.kind}")
        self._check(record, event)
        self._fold(event)
        self._last = event

    def _fold(self, event: Event) -> None:
        if isinstance(event, RollCalled):
            self.calls[event.key] = event
        self.state = COMMON_REDUCERS[type(event)](self.state, event)

    def _check(self, record: Recorded, event: Event) -> None:
        match event:
            case BattleOpened() | EditionAdopted():
                self._check_tables(record, event)
            case DiceCommitted():
                self._check_commitment(record, event)
            case DiceRolled():
                self._check_roll(record, event)
            case RootRevealed():
                self._check_root(record, event)
            case SecretRevealed():
                self._check_reveal(record, event)
            case Revealed():
                self._check_seal(record, event)
            case ActOpened():
                self._check_act(record, event)

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
        if roll.algorithm not in KNOWN_ALGORITHMS:
            self.unknown += 1
            return
        committed = table.committed
        if committed is None or table.act is None or (roll.algorithm, roll.turn) != (committed.algorithm, table.turn):
            raise RecordBroken(record.line, record.seq, "its dice are not drawn from a commitment of this battle")
        text = roll_message(self.line.battle, self.line.name, table, roll.key)
        ranges, commitment = dice_of(call.dice).faces(), committed.commitment
        self.thrown.append(Thrown(record.line, record.seq, roll, ranges, text, commitment))

    def _check_seal(self, record: Recorded, event: Revealed) -> None:
        """Hold a revealed order against its receipt, and see that it is the one that was waiting."""
        waiting = {each.digest: (each.seat, each.piece, each.slot) for each in self.state.table.orders if each.digest}
        if seal_of(event.salt, event.text) != event.digest:
            raise RecordBroken(record.line, record.seq, f"the order of {event.piece} is not the one that was sealed")
        if waiting.get(event.digest) not in ((event.seat, event.piece, event.slot), (event.seat, "", "")):
            raise RecordBroken(record.line, record.seq, f"no sealed order of {event.piece} waits under that receipt")

    def _replaced(self) -> dict[str, int]:
        """Return the lines that rulings on the way here have replaced, and how far: dice are reused from those alone.

        What such a line had reused itself, and had not come to yet, may be still to come.
        """
        found: dict[str, int] = {}
        corrected = self.state.table.corrected
        while corrected is not None and corrected.of_line not in found:
            found[corrected.of_line] = corrected.head
            line = self.log.line(self.line.battle, corrected.of_line)
            rulings = (each for each in self.log.records(line, 0, corrected.head) if each.kind == "ruling")
            events = [self.catalogue.read(each.body, each.seq) for each in rulings]
            corrected = next((each for each in reversed(events) if isinstance(each, Corrected)), None)
        return found

    def _check_kept(self, record: Recorded, roll: DiceRolled) -> None:
        """Check that the same roll showed the same faces on a line that a ruling replaced, before that line's end."""
        if self.state.table.corrected is not self.corrected:
            self.corrected, self.replaced = self.state.table.corrected, self._replaced()
        end = self.replaced.get(roll.kept_from)
        if end is None:
            raise RecordBroken(
                record.line, record.seq, f"no ruling replaced line {roll.kept_from!r}: its dice cannot be reused here"
            )
        if roll.kept_from not in self.fallen:
            line = self.log.line(self.line.battle, roll.kept_from)
            events = (self.catalogue.read(each.body, each.seq) for each in self.log.records(line, 0, end))
            rolls = [event for event in events if isinstance(event, DiceRolled)]
            self.fallen[roll.kept_from] = {(each.key, each.faces) for each in rolls}
        if (roll.key, roll.faces) not in self.fallen[roll.kept_from]:
            raise RecordBroken(
                record.line, record.seq, f"the dice for {roll.key!r} did not fall so on {roll.kept_from}"
            )
        self.kept += 1

    def _check_act(self, record: Recorded, event: ActOpened) -> None:
        """Check that an act says where it starts, and that its dice rest on the orders that it resolves."""
        if event.seq != record.seq:
            raise RecordBroken(record.line, record.seq, f"its act says that it starts at {event.seq}")
        table = self.state.table
        if table.committed is None or table.committed.algorithm != ALGORITHM_2:
            return
        if event.content != act_content(event.name, table, event.slots):
            raise RecordBroken(record.line, record.seq, "its digest is not that of the orders that it resolves")

    def _check_commitment(self, record: Recorded, event: DiceCommitted) -> None:
        """Check that a line's dice come from the battle's root, by its place in the tree. Raises `RecordBroken`."""
        before = self.state.table.committed
        if not 0 < event.turns <= MAX_TURNS or not 0 < event.first_turn < MAX_TURN:
            raise RecordBroken(record.line, record.seq, "it commits to turns that cannot be")
        if before is None:
            return
        if before.root and not isinstance(self._last, DiceRecommitted):
            if event.root != before.root:
                raise RecordBroken(record.line, record.seq, "it commits to other dice, and no ruling says so")
            lineage = self._lineage()
            if self.line.played and lineage and event.lineage != lineage:
                raise RecordBroken(record.line, record.seq, f"its dice are those of {event.lineage}, not of {lineage}")

    def _lineage(self) -> str:
        """Return where the line stands in the tree of the battle; empty if that is not known here."""
        return lineage_of(self.log.lines(self.line.battle), self.line.name)

    def _check_root(self, record: Recorded, event: RootRevealed) -> None:
        """Check a revealed root, and derive from it the commitment of every line that names it."""
        committed = self.state.table.committed
        root = _hex(event.root, record, "the root")
        if committed is None or root_commitment(root) != committed.root:
            raise RecordBroken(record.line, record.seq, "the root is not the one that the battle committed to")
        for each in self._derived():
            made = self.catalogue.read(each.body, each.seq)
            if not isinstance(made, DiceCommitted) or made.root != committed.root:
                continue
            chain = chain_root(root, made.lineage, made.first_turn)
            if not 0 < made.turns <= MAX_TURNS or commitment_of(chain, made.turns) != made.commitment:
                raise RecordBroken(each.line, each.seq, "its dice do not follow from the root of the battle")

    def _derived(self) -> Iterator[Recorded]:
        """Yield the events of all lines among which commitments stand."""
        for line in self.log.lines(self.line.battle):
            yield from (each for each in self.log.records(line, line.after) if each.kind == "table")

    def _check_missing(self) -> None:
        """Raise `RecordBroken` if a turn is over and its secret never came out: dice of it cannot be checked.

        Dice of an earlier commitment are lost: their secrets are with another keeper. A copy for somebody who sees the
        battle later may end before a secret that is out.
        """
        table = self.state.table
        committed = table.committed.commitment if table.committed is not None else ""
        for each in self.thrown:
            over = each.roll.turn < table.turn or bool(table.ended) or bool(table.superseded_by)
            if over and not self.delayed and each.commitment == committed:
                why = f"the secret of turn {each.roll.turn} never came out: nobody can check {each.roll.key!r}"
                raise RecordBroken(each.line, each.seq, why)
        left = [each for each in self.thrown if each.commitment == committed]
        self.thrown, self.lost = left, len(self.thrown) - len(left)

    def _check_reveal(self, record: Recorded, event: SecretRevealed) -> None:
        committed = self.state.table.committed
        secret = _hex(event.secret, record, f"the secret of turn {event.turn}")
        index = _index(committed, event.turn) if committed is not None else 0
        if committed is None or not 0 < index <= committed.turns:
            raise RecordBroken(record.line, record.seq, f"no dice were committed to for turn {event.turn}")
        if not keeps_commitment(secret, index, committed.commitment):
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

    def _lineage(self) -> str:
        return ""

    def _check_kept(self, record: Recorded, roll: DiceRolled) -> None:
        self.kept += 1

    def _derived(self) -> Iterator[Recorded]:
        return iter(())


def _hex(text: str, record: Recorded, what: str) -> bytes:
    """Return the 32 bytes that 64 hex digits stand for. Raises `RecordBroken`."""
    if not is_leaf(text):
        raise RecordBroken(record.line, record.seq, f"{what} is not 64 hex digits")
    return bytes.fromhex(text)


def _index(committed: DiceCommitted, turn: int) -> int:
    return turn - committed.first_turn + 1
