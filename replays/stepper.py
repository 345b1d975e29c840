"""Walking through a battle, forwards and backwards, at a person's pace. Stepping back is looking up, not playing again.

The states of the stretch that one stands in are kept; they share everything that did not change. Of the rest of the
battle, one state in every `STRIDE` is kept once it was passed. So a step back folds at most `STRIDE` events.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from events.facts import ActOpened, DiceRolled, Event, RollCalled, TurnBegan
from projections.battle_state import State
from replays.points import PointUnknown, find_point
from replays.seek import Frame
from replays.view import View

STRIDE: Final = 64
"""How many events lie between two states that are kept."""

_STRETCHES: Final = 4
"""How many stretches are kept with all their states."""


class Stepper:
    """A place in a line, and ways to move it. It reads alone; events that others append meanwhile are found.

    `at` is the event that one stands behind, 0 before the first. Every way of getting there shows the same.
    """

    def __init__(self, view: View, at: int = 0) -> None:
        self.view = view
        self._kept: dict[int, State] = {0: view.fold.start}
        self._stretches: dict[int, list[Frame]] = {}
        self.at = 0
        self.go(at)

    # ---------------------------------------------------------------------------------------------------- looking

    @property
    def head(self) -> int:
        """The last event of the line."""
        return self.view.head

    @property
    def step(self) -> Frame | None:
        """The event that one stands behind with the states around it; None before the first."""
        return self._step(self.at) if self.at else None

    @property
    def state(self) -> State:
        """The state where one stands."""
        step = self.step
        return step.after if step is not None else self.view.fold.start

    def tell(self, step: Frame) -> str:
        """Tell an event in one line, with its number."""
        return f"{step.record.seq:5d}  {self.view.caption(step)}"

    @property
    def last_roll(self) -> Frame | None:
        """The last dice that fell up to here, never later ones. Cost grows with the distance to them."""
        return next((step for step in self._backwards(self.at) if isinstance(step.event, DiceRolled)), None)

    # ---------------------------------------------------------------------------------------------------- moving

    def go(self, seq: int) -> None:
        """Stand behind an event. Raises `PointUnknown` if the line has no such event.

        At most `STRIDE` events are folded, if this part of the battle was passed before; else those back to the nearest
        state that is kept here or, as a snapshot, in the log.
        """
        if not 0 <= seq <= self.head:
            raise PointUnknown(str(seq), f"the line ends at event {self.head}")
        self.at = seq

    def jump(self, point: str) -> None:
        """Go to a point as it is typed (see `replays.points.find_point`). Raises `PointUnknown`."""
        self.go(find_point(self.view, point))

    def forward(self) -> bool:
        """Go one event on; False at the end."""
        if self.at >= self.head:
            return False
        self.at += 1
        return True

    def back(self) -> bool:
        """Go one event back; False before the first."""
        if not self.at:
            return False
        self.at -= 1
        return True

    def next_turn(self) -> bool:
        """Go to the beginning of the next turn. This and its like return False and stay if there is none."""
        return self._seek(lambda step: isinstance(step.event, TurnBegan))

    def turn_back(self) -> bool:
        """Go to the beginning of this turn, or from there to that of the turn before."""
        for step in self._backwards(self.at - 1):
            if isinstance(step.event, TurnBegan):
                self.at = step.record.seq
                return True
        return False

    def next_act(self) -> bool:
        """Go to the beginning of the next act: a phase, or an order that takes effect at once."""
        return self._seek(lambda step: isinstance(step.event, ActOpened))

    def next_roll(self, seat: str = "") -> bool:
        """Go to the next dice that fall, for one seat or for anybody."""
        return self._seek(lambda step: isinstance(step.event, DiceRolled) and seat in ("", _roller(step)))

    def next_about(self, piece: str) -> bool:
        """Go to the next event that names a piece by its id."""
        return self._seek(lambda step: is_about(step.event, piece))

    def next_of_kind(self, kind: str) -> bool:
        """Go to the next event of a kind, such as ruling."""
        return self._seek(lambda step: step.record.kind == kind)

    # ---------------------------------------------------------------------------------------------------- keeping

    def _seek(self, wanted: Callable[[Frame], bool]) -> bool:
        for seq in range(self.at + 1, self.head + 1):
            if wanted(self._step(seq)):
                self.at = seq
                return True
        return False

    def _backwards(self, seq: int) -> Iterator[Frame]:
        return (self._step(each) for each in range(seq, 0, -1))

    def _step(self, seq: int) -> Frame:
        number, place = divmod(seq - 1, STRIDE)
        stretch = self._stretches.pop(number, [])
        if place >= len(stretch):
            stretch = self._read(number)
        self._stretches[number] = stretch
        if len(self._stretches) > _STRETCHES:
            del self._stretches[next(iter(self._stretches))]
        return stretch[place]

    def _read(self, number: int) -> list[Frame]:
        """Fold one stretch, keeping every state; a line that still grows may have only a part of it."""
        start = number * STRIDE
        state = self._state_behind(start)
        found = list(self.view.frames_from(state, start, min(start + STRIDE, self.head)))
        if len(found) == STRIDE:
            self._kept[start + STRIDE] = found[-1].after
        return found

    def _state_behind(self, seq: int) -> State:
        """Return the state at the beginning of a stretch, keeping those that are passed on the way."""
        if seq in self._kept:
            return self._kept[seq]
        nearest = max(kept for kept in self._kept if kept <= seq)
        after, state = self.view.saved_state(seq)
        if after < nearest:
            after, state = nearest, self._kept[nearest]
        while after < seq:
            upto = min(seq, after - after % STRIDE + STRIDE)
            after, state = upto, self.view.read_on(state, after, upto)
            if after % STRIDE == 0:
                self._kept[after] = state
        return state


def _roller(step: Frame) -> str:
    """Return the seat for which dice fell."""
    event = step.event
    call = step.before.table.called.get(event.key) if isinstance(event, DiceRolled) else None
    return call.seat if isinstance(call, RollCalled) else ""


def is_about(event: Event, piece: str) -> bool:
    """Tell whether an event names a piece: as a word of its own in any text of it, such as an order or a roll's key.

    >>> rolled = DiceRolled("t1/hit/ann>bob", (6,), 6, True, "seeded", 1)
    >>> is_about(rolled, "bob"), is_about(rolled, "bo")
    (True, False)
    """
    return _names(msgspec.to_builtins(event), re.compile(rf"(?<![\w-]){re.escape(piece)}(?![\w-])"))


def _names(value: object, piece: re.Pattern[str]) -> bool:
    if isinstance(value, str):
        return piece.search(value) is not None
    if isinstance(value, dict):
        return any(_names(inner, piece) for pair in value.items() if pair[0] != "type" for inner in pair)
    return isinstance(value, list | tuple) and any(_names(inner, piece) for inner in value)
