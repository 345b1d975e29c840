"""What can happen. The tags are the names in every record, for good: change a fact by a new tag and an upcast."""

from __future__ import annotations

from wardiary.facts import Event


class Placed(Event, frozen=True, gc=False, tag="newgame.placed"):
    """A fighter stands on the field."""

    fighter: str
    seat: str
    health: int


class Hurt(Event, frozen=True, gc=False, tag="newgame.hurt"):
    """A blow has landed. `key` is that of the roll that decided it."""

    fighter: str
    by: str
    rule: str
    key: str
