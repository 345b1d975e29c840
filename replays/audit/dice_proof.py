"""Why the dice of a battle can be believed: who fixed what, and when; and how to work one roll out by hand.

Everything here comes from the record alone, an exported one too; no network, no rules, no secret that is not public.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator

import msgspec

from events.dice.beacons import KNOWN, value_of
from events.facts import (
    ActOpened,
    BeaconAdded,
    BeaconNamed,
    DiceCommitted,
    DicePolicyDeclared,
    DiceRecommitted,
    DiceRolled,
    Event,
    NonceAdded,
    RollCalled,
    RootRevealed,
    SecretRevealed,
)
from events.store.chain import field
from events.store.record import Recorded
from events.times import rfc3339
from projections.battle_state import COMMON_REDUCERS, State
from projections.dice.luck_text import counted
from projections.dice.rolls import dice_of
from projections.journal import printable, quoted
from projections.viewer import THE_REFEREE
from replays.audit.algorithms import KNOWN_ALGORITHMS, roll_message
from replays.audit.beacon_check import check_round
from replays.audit.proof import faces
from replays.audit.verify import Progress, Verdict, verify
from replays.points import PointUnknown
from replays.view import View

_STATED = (
    DiceCommitted, DiceRecommitted, RootRevealed, NonceAdded, BeaconNamed, BeaconAdded, DicePolicyDeclared,
    SecretRevealed,
)  # fmt: skip
"""The facts on which dice rest."""


class Statement(msgspec.Struct, frozen=True, gc=False):
    """Something on record that bears on the dice, in words: on which line, at which event, when."""

    line: str
    seq: int
    at: int
    words: str


class ProofReport(msgspec.Struct, frozen=True, gc=False):
    """What the record proves of its dice. `statements` come line by line in the order of the record."""

    verdict: Verdict
    statements: tuple[Statement, ...]
    fudging: str

    def lines(self, copy_for: str = "") -> Iterator[str]:
        """Tell it in plain lines; `copy_for` says for whom this is a copy in which something is left out."""
        verdict = self.verdict
        yield f"the chain of {verdict.events} events holds; every die that can be checked now was worked out again:"
        yield f"  {counted(verdict.proved, 'rolls')} proved from revealed secrets"
        yield f"  {counted(verdict.unrevealed, 'rolls')} to be proved when their turn ends"
        yield f"  {counted(verdict.entered, 'rolls')} entered or imported: nothing but their arithmetic can be checked"
        yield f"  {counted(verdict.kept, 'rolls')} reused from lines that a ruling replaced"
        if verdict.lost:
            yield f"  {counted(verdict.lost, 'rolls')} lost: the dice got another keeper before their secret came out"
        if verdict.unknown:
            yield f"  {counted(verdict.unknown, 'rolls')} drawn by an algorithm that this version cannot check"
        yield f"setting dice aside at this table: {self.fudging or 'nothing declared'}"
        for each in self.statements:
            yield f"  {each.line} {each.seq:5d}  {rfc3339(each.at)[:19]}Z  {each.words}"
        if copy_for:
            yield f"this is a copy for {copy_for}, without what is still secret: it has not the heads of the battle"
            return
        for line, digest in verdict.heads.items():
            yield f"head of {line}: {digest}"
        yield "keep the heads: whoever rewrites the record cannot make one that still contains them"


def proof_of(view: View, progress: Progress = lambda events: None) -> ProofReport:
    """Check a battle and tell what its dice rest on. Raises `RecordBroken` as `verify` does."""
    verdict = verify(view.log, view.battle, progress, delayed=view.viewer != THE_REFEREE)
    statements = [each for line in view.lines() for each in _statements(line)]
    return ProofReport(verdict, tuple(statements), policy_of(view.now()))


def _statements(view: View) -> Iterator[Statement]:
    """Tell what a line's own events say about its dice."""
    named: dict[tuple[str, int], int] = {}
    for record, event in view.events(*_STATED):
        if isinstance(event, BeaconNamed):
            named[event.beacon, event.round] = record.at
        words = _words(event, named)
        if words and record.line == view.name:
            yield Statement(view.name, record.seq, record.at, words)


def _words(event: Event, named: dict[tuple[str, int], int]) -> str:
    match event:
        case DiceCommitted():
            shared = f"; shared by what-if lines as {event.stream}" if event.stream else ""
            last = event.first_turn + event.turns - 1
            return f"dice of turns {event.first_turn}–{last} committed to: {event.commitment}{shared}"
        case NonceAdded():
            return f"{printable(event.seat)} gave the client seed {quoted(event.nonce)}"
        case DiceRecommitted():
            waived = f"; not waited for: {', '.join(map(printable, event.without))}" if event.without else ""
            return f"THE DICE HAVE ANOTHER KEEPER from here on: {quoted(event.why)}{waived}"
        case RootRevealed():
            return f"root of the dice revealed: {event.root}"
        case BeaconNamed():
            known = KNOWN.get(event.beacon)
            due = f", due {rfc3339(known.out_at(event.round))[:19]}Z" if known else ", due nobody here knows when"
            return f"round {event.round} of {printable(event.beacon)} named beforehand{due}"
        case BeaconAdded():
            return _beacon_words(event, named.get((event.beacon, event.round)))
        case DicePolicyDeclared():
            why = f": {quoted(event.why)}" if event.why else ""
            return f"setting dice aside is {event.fudging} from here on{why}"
        case SecretRevealed():
            return f"secret of turn {event.turn} revealed: {event.secret}"
        case _:
            return ""


def _beacon_words(event: BeaconAdded, named_at: int | None) -> str:
    what = f"round {event.round} of {printable(event.beacon)}"
    if named_at is None:
        return f"{what} changes nothing: nobody had named it beforehand"
    known = KNOWN.get(event.beacon)
    late = known is not None and known.out_at(event.round) <= named_at
    warned = " — NAMED TOO LATE: it was out already, whoever named it could know it" if late else ""
    found = check_round(event.beacon, event.round, event.signature)
    checked = {
        "genuine": "signature checked",
        "forged": "FORGED: this is not the beacon's signature",
        "unchecked": "signature NOT CHECKED here (extra `beacon`, or a beacon that is not known)",
    }[found]
    return f"{what} mixed in: {value_of(event.signature)}; {checked}{warned}"


def policy_of(view: View) -> str:
    """Return what was last declared about setting dice aside."""
    declared = ""
    for _, event in view.events(DicePolicyDeclared):
        declared = event.fudging
    return declared


class Recipe(msgspec.Struct, frozen=True, gc=False):
    """How the faces of one seeded roll come about. `secret` is empty until its turn's secret is revealed.

    `message` is what is stirred with the secret, without the number of the block that goes at its end; `blocks` holds
    the HMAC-SHA256 of each block needed, in hex.
    """

    line: str
    seq: int
    key: str
    dice: str
    ranges: tuple[tuple[int, int], ...]
    faces: tuple[int, ...]
    turn: int
    commitment: str
    hashings: int
    secret: str
    message: str
    blocks: tuple[str, ...]

    def lines(self) -> Iterator[str]:
        """Tell it step by step, in the words of docs/dice.md."""
        yield f"roll {self.key} ({self.dice}), event {self.seq} of {self.line}, turn {self.turn}"
        yield f"commitment: {self.commitment}"
        if not self.secret:
            yield f"secret: comes out when turn {self.turn} ends; until then nobody else can work this roll out"
            return
        times = "once" if self.hashings == 1 else f"{self.hashings} times"
        yield f"secret:     {self.secret}"
        yield f"            hashed {times} with SHA-256 it gives the commitment"
        yield f"message:    {printable(self.message)}"
        for number, block in enumerate(self.blocks):
            yield f"block {number}:    {block}"
            yield f"            = HMAC-SHA256 with the secret as its key, of the message followed by 1:{number},"
        yield f"faces:      {', '.join(map(str, self.faces))}"


def recipe_for(view: View, key: str) -> Recipe:
    """Return how one roll of a line came about; the last one under that key, if there are several.

    Raises `PointUnknown` if there is no seeded roll of that key.
    """
    state = State()
    found: tuple[Recorded, DiceRolled, RollCalled, State] | None = None
    secrets: dict[tuple[str, int], str] = {}
    for record, event in view.events(*_STATED, ActOpened, RollCalled, DiceRolled):
        if isinstance(event, DiceRolled) and event.key == key and event.source == "seeded":
            found = (record, event, state.table.called[key], state)
        if isinstance(event, SecretRevealed) and state.table.committed is not None:
            secrets[state.table.committed.commitment, event.turn] = event.secret
        state = COMMON_REDUCERS[type(event)](state, event)
    if found is None:
        raise PointUnknown(key, "no roll of that key was drawn on this line; `wardiary dice … --csv` lists the keys")
    record, rolled, call, before = found
    committed = before.table.committed
    if committed is None or rolled.algorithm not in KNOWN_ALGORITHMS:
        raise PointUnknown(key, "its dice are not drawn from a commitment")
    secret = secrets.get((committed.commitment, rolled.turn), "")
    text = roll_message(view.battle, record.line, before.table, key)
    ranges = dice_of(call.dice).faces()
    return Recipe(
        line=record.line,
        seq=record.seq,
        key=key,
        dice=call.dice,
        ranges=ranges,
        faces=rolled.faces,
        turn=rolled.turn,
        commitment=committed.commitment,
        hashings=rolled.turn - committed.first_turn + 1,
        secret=secret,
        message=text.decode(),
        blocks=_blocks(bytes.fromhex(secret), text, ranges) if secret else (),
    )


def _blocks(secret: bytes, text: bytes, ranges: tuple[tuple[int, int], ...]) -> tuple[str, ...]:
    """Return as many blocks as the faces need: one more is tried until the faces no longer change for want of bytes."""
    wanted = faces(secret, text, ranges)
    blocks: list[bytes] = []
    while True:
        blocks.append(hmac.digest(secret, text + field(str(len(blocks))), "sha256"))
        if faces_of(b"".join(blocks), ranges) == wanted:
            return tuple(block.hex() for block in blocks)


def faces_of(stream: bytes, ranges: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """Read faces off a stream of bytes as the algorithm does; stops short where the bytes run out.

    >>> faces_of(bytes([253, 9, 0]), ((1, 6), (1, 6)))
    (4, 1)
    """
    shown: list[int] = []
    at = 0
    for low, high in ranges:
        sides = high - low + 1
        width = 1 if sides <= 256 else 4
        limit = 256**width - 256**width % sides
        while True:
            if at + width > len(stream):
                return tuple(shown)
            number = int.from_bytes(stream[at : at + width], "big")
            at += width
            if number < limit:
                break
        shown.append(low + number % sides)
    return tuple(shown)
