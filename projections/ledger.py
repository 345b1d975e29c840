"""The dice ledger: every die ever thrown in a battle, in any line, and dice from elsewhere, in one neutral form."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from events.facts import Chance, Test

Source: TypeAlias = Literal["seeded", "entered", "imported", "kept"]
Standing: TypeAlias = Literal["in force", "taken back", "what-if", "surplus"]
Certainty: TypeAlias = Literal["dice", "total", "ambiguous"]


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One roll, wherever it came from. What a source does not tell is None or empty, never guessed.

    * `seat` is the side or person that threw; `piece` what it was thrown for; `purpose` the words that went with it.
    * `notation` is canonical (see `events.notation`), or as it was written if that cannot be read; `dialect` names the
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
