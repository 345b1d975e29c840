"""What facts say of a unit's men or of a hero: worked out once, when they come on the field."""

from __future__ import annotations

import msgspec


class Arm(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A weapon in somebody's hands. `damage` counts for each degree; `range_yd` is 0 for a fighting weapon.

    `grade` is how well it is made: poor, common, superior (castle-forged) or extraordinary (B-35).
    """

    id: str
    name: str
    skill: str
    specialty: str
    damage: int
    training: int = 0
    range_yd: int = 0
    piercing: int = 0
    shattering: int = 0
    qualities: tuple[str, ...] = ()
    grade: str = "common"

    @property
    def shoots(self) -> bool:
        """Whether it strikes from afar."""
        return self.range_yd > 0


class Profile(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The figures of a unit's average man, or of a hero, with armour, shield, mount and rank worked in.

    `specialty` is the rank of every specialty that `specialties` does not name. `cd` is without the shield. `move_yd`
    and `sprint_yd` are yards each combat round; `run_yd` is the movement before `bulk` takes its share.
    """

    abilities: dict[str, int]
    health: int
    cd: int
    ar: int
    armour_penalty: int
    bulk: int
    run_yd: int
    move_yd: int
    sprint_yd: int
    arms: tuple[Arm, ...]
    shield: int = 0
    specialty: int = 0
    specialties: dict[str, int] = {}
    test_die: int = 0
    mount: str = ""
    trample: int = 0
    horse_ar: int = 0
    morale_test: int = 2
    morale_bonus: int = 0
    order_tn: int = 0
