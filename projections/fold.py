"""Folding: a rule set's events in, its state out. No rules are needed to look back."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, TypeAlias

import msgspec

from events import deadlines, facts
from events.catalogue import Catalogue, EventUnreadable, split_tag, tag_of
from events.errors import DiaryError
from events.facts import COMMON, Event, Unknown
from projections import battle_state
from projections import deadlines as deadlines_told
from projections.battle_state import COMMON_REDUCERS, Reducer, State
from projections.scene import Scene
from projections.story import Story, by_lines


class RuleSetUnknown(DiaryError, LookupError):
    """No installed package brings this rule set. `known` lists those that are here."""

    code = "rules/unknown-set"

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"no rule set {name!r} is installed; here are: {', '.join(known) or 'none'}")
        self.name = name
        self.known = tuple(known)


class FoldInvalid(DiaryError, TypeError):
    """The events, reducers and captions of a rule set do not match: a programmer's mistake, found at once.

    `problems` names every event that lacks something, or has something without being listed.
    """

    code = "rules/fold"

    def __init__(self, name: str, problems: Sequence[str]) -> None:
        super().__init__(f"the fold of {name}: {'; '.join(problems)}")
        self.name = name
        self.problems = tuple(problems)


Caption: TypeAlias = Callable[[Any, Any], str]
"""Tells an event of a rule set in words. It is given the state before the event."""

Picture: TypeAlias = Callable[[Any], str]
"""Draws a state as text."""

Bearing: TypeAlias = Literal["bad", "neither"]
"""What success in a check is to whoever rolls, where it is not good."""

_ENCODER = msgspec.json.Encoder(order="deterministic")
_GROUP = "wardiary.folds"
_SHELVED = b"state with its digest/1"
"""How `save_snapshot` writes a state. It goes into the fingerprint, so that what was saved otherwise is passed over."""


class Fold:
    """How the events of one rule set add up, and how they are told. Found through the entry point `wardiary.folds`.

    `events` are the rule set's own facts, `start` its state before the first one, `reducers` what each fact does.
    Every fact needs a reducer and a caption, and nothing else may have one: otherwise `FoldInvalid`. `scene` tells
    how a state looks, for those who draw it (see `projections.scene`). `bearing` names the kinds of check in which
    success is bad for whoever rolls, or neither good nor bad. `story` tells a battle in fewer lines than captions do;
    without one each caption is a line (see `projections.story`). `sources` are modules that the reducers lean on
    beside their own: when the code that folds changes, snapshots are made anew.
    """

    def __init__(
        self,
        name: str,
        events: Sequence[type[Event]],
        start: State,
        reducers: Mapping[type[Event], Reducer],
        captions: Mapping[type[Event], Caption],
        picture: Picture,
        sources: Sequence[ModuleType] = (),
        scene: Callable[[Any], Scene] | None = None,
        bearing: Mapping[str, Bearing] | None = None,
        story: Story | None = None,
    ) -> None:
        if problems := list(_mismatches(events, reducers, captions)):
            raise FoldInvalid(name, problems)
        self.name = name
        self.catalogue = Catalogue(events)
        self.start = start
        self.reducers: Mapping[type[Event], Reducer] = {**COMMON_REDUCERS, **reducers}
        self.captions = captions
        self.picture = picture
        self.scene = scene
        self.story: Story = story or by_lines()
        self.bearing: Mapping[str, Bearing] = bearing or {}
        own = {value.__module__ for value in (type(start), *events, *reducers.values())}
        self._sources = (
            facts,
            deadlines,
            deadlines_told,
            battle_state,
            *sources,
            *(sys.modules[name] for name in sorted(own)),
        )
        self._decoder = msgspec.json.Decoder(type(start))
        self._fingerprint = ""

    def advance(self, state: State, events: Iterable[Event]) -> State:
        """Fold events onto a state. About a microsecond an event."""
        reducers = self.reducers
        for event in events:
            state = reducers[type(event)](state, event)
        return state

    def read_on(self, state: State, bodies: Sequence[str], after: int) -> State:
        """Read stored bodies, the first of them event `after + 1`, and fold them onto a state.

        Raises `EventUnreadable` at the first that cannot be read or does not fit the state before it, such as one that
        names a piece that does not exist.
        """
        events = self.catalogue.read_all(bodies, after + 1)
        try:
            return self.advance(state, events)
        except Exception:  # a reducer that meets a forged or foreign fact may raise anything
            for seq, event in enumerate(events, after + 1):
                state = self.read_one(state, event, seq)
            raise

    def read_one(self, state: State, event: Event, seq: int) -> State:
        """Fold one event that was read from the record. Raises `EventUnreadable` if it does not fit the state."""
        try:
            return self.advance(state, (event,))
        except Exception as error:  # as in `read_on`
            raise misfit(state, event, seq, error) from error

    @property
    def fingerprint(self) -> str:
        """A digest of the code that folds: a snapshot made by other code is worth nothing."""
        if not self._fingerprint:
            digest = sha256(_SHELVED)
            for module in self._sources:
                digest.update(Path(str(module.__file__)).read_bytes())
            self._fingerprint = digest.hexdigest()[:16]
        return self._fingerprint

    def save(self, state: State) -> str:
        """Return the canonical JSON of a state: the same on every machine."""
        return _ENCODER.encode(state).decode()

    def load(self, text: str) -> State:
        """Read a state that `save` wrote. Raises `msgspec.ValidationError`."""
        state: State = self._decoder.decode(text)
        return state

    def save_snapshot(self, state: State) -> str:
        """Return a state as a snapshot keeps it: its digest, a space, and what `save` returns."""
        saved = self.save(state)
        return f"{sha256(saved.encode()).hexdigest()} {saved}"

    def load_snapshot(self, text: str) -> State:
        """Read a state that `save_snapshot` wrote. Raises `msgspec.ValidationError` if it is not that state."""
        digest, _, saved = text.partition(" ")
        if sha256(saved.encode(errors="replace")).hexdigest() != digest:
            raise msgspec.ValidationError("the state is not the one that was shelved")
        return self.load(saved)

    def digest(self, state: State) -> str:
        """Return the SHA-256 of a state."""
        return sha256(_ENCODER.encode(state)).hexdigest()


def misfit(state: State, event: Event, seq: int, error: Exception) -> EventUnreadable:
    """Return what to say of an event that could be decoded, but not folded on the state before it, or not shown."""
    name, version = (event.name, 0) if isinstance(event, Unknown) else split_tag(tag_of(type(event)))
    why = f"it does not fit the battle before it ({type(error).__name__}: {error})"
    if unknown := state.table.unknown:
        why += f"; events of types that this version does not know are left out: {', '.join(unknown)}"
    return EventUnreadable(seq, name, version, why)


def _mismatches(
    events: Sequence[type[Event]],
    reducers: Mapping[type[Event], Reducer],
    captions: Mapping[type[Event], Caption],
) -> Iterator[str]:
    """Name what keeps events, reducers and captions from being the same set.

    A rule set may also fold and tell a common fact, such as the beginning of a turn, in its own way.
    """
    for what, have in (("reducer", reducers), ("caption", captions)):
        lacking = [each.__name__ for each in events if each not in have]
        if lacking:
            yield f"no {what} for {', '.join(lacking)}"
        surplus = [each.__name__ for each in have if each not in (*events, *COMMON)]
        if surplus:
            yield f"a {what} for {', '.join(surplus)}, which the list of events lacks"


def find_fold(name: str) -> Fold:
    """Return the fold of an installed rule set. Raises `RuleSetUnknown`, which lists those that are installed.

    >>> find_fold("dresda").start.table.turn
    0
    """
    from importlib.metadata import entry_points

    found = entry_points(group=_GROUP, name=name)
    for entry in found:
        fold: Fold = entry.load()()
        return fold
    raise RuleSetUnknown(name, sorted(entry.name for entry in entry_points(group=_GROUP)))
