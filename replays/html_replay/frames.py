"""The frames of a film: what each event changed, texts kept once, everything else as short numbers.

Frame 0 is the battle before its first event; frame `k` what event `k` made of it. Columns have one entry a frame. A
piece is eight numbers (`FIELDS`); a frame names the pieces that it changed with a mask of the numbers that follow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import msgspec

from events.facts import ActOpened, DiceRolled, TurnBegan
from projections.battle_state import State
from projections.fold import Fold
from projections.journal import caption, dice_at, reasons
from projections.scene import STANDINGS, Mark, Scene, same_field
from projections.svg import Sheet, area_markup, glyph, legend, wall_markup
from replays.explain import keys_of, rules_of
from replays.seek import Frame
from replays.view import View

FIELDS: Final = ("glyph", "x", "y", "facing", "label", "side", "state", "note")
"""What is kept of a piece. `glyph`, `label` and `note` are numbers of texts, `state` one of `STANDINGS`.

`x` and `y` are millimetres, `facing` is -1 for a piece that faces nowhere.
"""

_EVERY_FIELD: Final = 2 ** len(FIELDS) - 1
_AREAS, _WALLS = 0, 1
Pose: TypeAlias = tuple[int, ...]


class HtmlReplay(msgspec.Struct, frozen=True, gc=False):
    """A film as the page holds it. Texts that recur are numbers of `strings`.

    Sparse columns are lists of `[frame, …]`: `ground` what lies there from then on (`item, text` in turn, -1 for gone),
    `titles`, `turns`, `acts`, `causes` (the frames that decided this one). `why` is a number of `whys`, each the lines
    of a reason and the rules at work. `dice` says what holds for the dice at this table. `times` are seconds since the
    frame before, from 1970 on.
    """

    battle: str
    line: str
    rule_set: str
    title: str
    played: bool
    superseded_by: str
    why_line: str
    digest: str
    sides: tuple[str, ...]
    width: int
    height: int
    unit: int
    unit_name: str
    legend: str
    below: int
    strings: list[str]
    pieces: list[str]
    items: list[tuple[int, str]]
    captions: list[str]
    kinds: list[int]
    actors: list[int]
    times: list[int]
    marks: list[list[list[int]]]
    ground: list[list[int]]
    titles: list[list[int]]
    turns: list[list[int]]
    acts: list[list[int]]
    rolls: list[int]
    whys: list[tuple[list[int], list[int]]]
    why: list[int]
    causes: list[list[int]]
    rules: dict[str, str]
    dice: tuple[str, ...] = ()
    standings: tuple[str, ...] = STANDINGS
    format: int = 1


def expose(view: View, rule_text: Callable[[str], str] = lambda rule: "") -> HtmlReplay:
    """Make a replay of a line, from its first event to the last that can be read. Linear.

    `rule_text` gives a rule in words, or nothing. A rule set that draws no scene makes a replay without a field.
    Raises `RecordBroken`.
    """
    fold, head = view.fold, view.readable
    way = list(view.frames(0, head))
    end = way[-1].after if way else fold.start
    scene = view.scene(head) or Scene(0, 0)
    camera = _Camera(fold, scene)
    camera.start(fold.start)
    for step in way:
        view.shown(step, partial(camera.take, step))
    drawn, below = legend(scene) if fold.scene else ("", 0)
    return HtmlReplay(
        view.battle,
        view.name,
        fold.name,
        end.table.title or view.battle,
        view.played,
        view.superseded_by,
        view.why,
        view.record(head).hash if head else "",
        tuple(seat.name for seat in end.table.seats),
        scene.width,
        scene.height,
        scene.unit,
        scene.unit_name,
        drawn,
        below,
        dice=tuple(dice_at(end.table)),
        rules={rule: text for rule in camera.rules if (text := rule_text(rule))},
        **camera.columns(),
    )


class _Strings:
    """Texts, each kept once, in the order of their first use."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))


class _Camera:
    """Takes frame after frame, noting only what changed since the last one."""

    def __init__(self, fold: Fold, end: Scene) -> None:
        self.fold = fold
        self.sheet = Sheet(end.width, end.height)
        self.text = _Strings()
        self.pieces = _Strings()
        self.items: dict[tuple[int, str], int] = {}
        self.poses: dict[str, Pose] = {}
        self.lying: dict[tuple[int, str], int] = {}
        self.ground: tuple[Any, Any] = ((), ())
        self.glyphs: dict[tuple[Any, ...], int] = {}
        self.title = -1
        self.at = 0
        self.act, self.fell = 0, dict[str, int]()
        self.clock = 0
        self.rules: dict[str, None] = {}
        self.whys: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {((), ()): 0}
        self.full: dict[str, list[Any]] = {
            name: [] for name in ("captions", "kinds", "actors", "times", "marks", "why")
        }  # fmt: skip
        self.sparse: dict[str, list[Any]] = {
            name: [] for name in ("ground", "titles", "turns", "acts", "rolls", "causes")
        }  # fmt: skip

    def columns(self) -> dict[str, Any]:
        """Everything that was taken, by the names of a `HtmlReplay`."""
        return {
            **self.full,
            **self.sparse,
            "strings": list(self.text.numbers),
            "pieces": list(self.pieces.numbers),
            "items": list(self.items),
            "whys": [(list(lines), list(rules)) for lines, rules in self.whys],
        }

    def start(self, state: State) -> None:
        """Take frame 0."""
        self._note("before the first event", "table", "", 0, 0)
        self._look(state)

    def take(self, step: Frame) -> None:
        """Take the frame of one event."""
        record, event = step.record, step.event
        self.at = record.seq
        if record.act != self.act:
            self.act, self.fell = record.act, {}
        seconds = record.at // 1_000_000
        words = caption(self.fold, event, step.before)
        self._note(words, record.kind, record.actor, seconds - self.clock, self._why(step))
        self.clock = seconds
        if isinstance(event, TurnBegan):
            self.sparse["turns"].append([self.at, event.turn])
        elif isinstance(event, ActOpened):
            self.sparse["acts"].append([self.at, self.text(event.name)])
        elif isinstance(event, DiceRolled):
            self.sparse["rolls"].append(self.at)
            self.fell[event.key] = self.at
        if same_field(step.before, step.after):
            self.full["marks"].append([])
        else:
            self._look(step.after)

    def _note(self, words: str, kind: str, actor: str, seconds: int, why: int) -> None:
        row = {"captions": words, "kinds": self.text(kind), "actors": self.text(actor), "times": seconds, "why": why}
        for name, value in row.items():
            self.full[name].append(value)

    def _why(self, step: Frame) -> int:
        """Note the reasons of an event; the dice that decided it are named by their frames."""
        causes = [self.fell[key] for key in dict.fromkeys(keys_of(step.event)) if key in self.fell]
        if causes:
            self.sparse["causes"].append([self.at, *causes])
        rules = list(dict.fromkeys(rules_of(step)))
        self.rules.update(dict.fromkeys(rules))
        lines = tuple(self.text(line) for line in reasons(step.event, step.before))
        return self.whys.setdefault((lines, tuple(self.text(rule) for rule in rules)), len(self.whys))

    # ------------------------------------------------------------------------------------------------ the field

    def _look(self, state: State) -> None:
        scene = self.fold.scene(state) if self.fold.scene else Scene(0, 0)
        title = self.text(scene.title)
        if title != self.title:
            self.sparse["titles"].append([self.at, title])
            self.title = title
        self._look_at_ground(scene)
        poses = self._poses(scene)
        changes = [[self.pieces(name), 0] for name in self.poses if name not in poses]
        changes += [
            change for name, pose in poses.items() if (change := self._change(name, self.poses.get(name), pose))
        ]  # fmt: skip
        self.full["marks"].append(changes)
        self.poses = poses

    def _poses(self, scene: Scene) -> dict[str, Pose]:
        return {
            mark.id: (
                self._glyph(mark),
                mark.at.x,
                mark.at.y,
                -1 if mark.facing is None else mark.facing,
                self.text(mark.label),
                mark.side,
                STANDINGS.index(mark.state),
                self.text(mark.note),
            )
            for mark in scene.marks
        }

    def _glyph(self, mark: Mark) -> int:
        looks = (mark.side, mark.width, mark.depth, mark.facing is None, mark.state)
        if looks not in self.glyphs:
            self.glyphs[looks] = self.text(glyph(self.sheet, mark))
        return self.glyphs[looks]

    def _change(self, name: str, old: Pose | None, new: Pose) -> list[int]:
        if old is None:
            return [self.pieces(name), _EVERY_FIELD, *new]
        touched = [place for place in range(len(FIELDS)) if old[place] != new[place]]
        if not touched:
            return []
        return [self.pieces(name), sum(1 << place for place in touched), *(new[place] for place in touched)]

    def _look_at_ground(self, scene: Scene) -> None:
        ground = (scene.areas, scene.walls)
        if ground == self.ground:
            return
        self.ground = ground
        lying = {(_AREAS, area.id): self.text(area_markup(self.sheet, area)) for area in scene.areas}
        lying |= {(_WALLS, wall.id): self.text(wall_markup(self.sheet, wall)) for wall in scene.walls}
        changes = [(key, -1) for key in self.lying if key not in lying]
        changes += [(key, text) for key, text in lying.items() if self.lying.get(key) != text]
        if changes:
            numbered = [(self.items.setdefault(key, len(self.items)), text) for key, text in changes]
            self.sparse["ground"].append([self.at, *(number for change in numbered for number in change)])
        self.lying = lying


def pose_after(pose: Sequence[int] | None, change: Sequence[int]) -> list[int] | None:
    """Return a piece's numbers after one change as a frame holds it; None once it is gone. For readers of films.

    >>> pose_after([1, 20, 30, 90, 2, 0, 0, 3], [7, 0b110, 25, 35])
    [1, 25, 35, 90, 2, 0, 0, 3]
    """
    mask, values = change[1], iter(change[2:])
    if not mask:
        return None
    old = pose or [0] * len(FIELDS)
    return [next(values) if mask >> place & 1 else old[place] for place in range(len(FIELDS))]
