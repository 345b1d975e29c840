"""What a player can know before ordering: how far a figure gets, what it can do to a target. It records nothing.

All of it follows from where figures stand now; whoever moves before the shot or the blow may change it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from engine.rules.dresda.aims import route_of
from engine.rules.dresda.bases import contact_mm
from engine.rules.dresda.charges import charge_objections
from engine.rules.dresda.contact import engaged_now
from engine.rules.dresda.ground import rows_on
from engine.rules.dresda.missiles import REAR, Line, Shot, farthest_mm, hit_call, range_mm
from engine.rules.dresda.movement import Spent, allowance, gait_objection, rate_of
from engine.rules.dresda.orders import Charge, Run, Walk
from engine.rules.dresda.sight_and_arcs import arcs, cover, sight
from engine.rules.dresda.situation import Situation
from engine.rules.dresda.wounds import defence, wounds_of
from engine.rules.rule_set import Objection
from events.dresda import Arm
from projections.dresda.captions import cm
from projections.dresda.state import Figure


class Gait(Struct, frozen=True):
    """How far a figure gets at a gait on the ground on which it stands, in mm; with an objection, why it does not."""

    gait: str
    mm: int
    why_not: Objection | None = None


class ShotAt(Struct, frozen=True):
    """What a missile weapon would do to a target as both stand now.

    `percent` is the chance to hit, 0 without a shot; `wounds` what a hit makes, 0 if it cannot wound (DR-054).
    """

    weapon: str
    percent: int = 0
    terms: tuple[tuple[str, int], ...] = ()
    attack_factor: int = 0
    defence: int = 0
    wounds: int = 0
    why_not: Objection | None = None


class Reach(Struct, frozen=True):
    """Whether a figure can come into contact with a target this turn by a gait; if not, why."""

    gait: str
    why_not: Objection | None = None


class Look(Struct, frozen=True):
    """A figure looked at, and with a target what it can do to it; lengths in mm."""

    figure: str
    gaits: tuple[Gait, ...]
    fights: tuple[str, ...]
    target: str = ""
    range_mm: int = 0
    gap_mm: int = 0
    sight: str = ""
    cover: str = ""
    arc: str = ""
    shots: tuple[ShotAt, ...] = ()
    reach: tuple[Reach, ...] = ()


def look(situation: Situation, name: str, target: str = "") -> Look:
    """What a figure can do now, and with a target what it can do to it. Cost: a few looks at the ground."""
    figure = situation.state.figures[name]
    gaits = tuple(
        _gait(situation, figure, gait) for gait in ("walk", "run", "charge") if rate_of(situation, figure, gait)
    )
    fights = tuple(foe.id for foe in engaged_now(situation, figure))
    other = situation.state.figures.get(target)
    if other is None or other.gone or figure.gone:
        return Look(name, gaits, fights)
    covered = cover(situation, figure, other)
    return Look(
        name,
        gaits,
        fights,
        target,
        range_mm(figure, other),
        max(0, range_mm(figure, other) - int(contact_mm(situation, figure, other))),
        sight(situation, figure, other).verdict,
        covered.row,
        " or ".join(arcs(situation, other, figure)),
        tuple(_shot(situation, figure, other, arm) for arm in figure.arms if arm.missile),
        tuple(_reaches(situation, figure, other)),
    )


def _gait(situation: Situation, figure: Figure, gait: str) -> Gait:
    ground = rows_on(situation.state, [figure.place])
    allowed = allowance(situation, figure, gait, ground, figure.halves)
    return Gait(gait, int(allowed.mm), gait_objection(situation, figure, gait, ground))


def _shot(situation: Situation, figure: Figure, target: Figure, arm: Arm) -> ShotAt:
    far = farthest_mm(situation, arm)
    if range_mm(figure, target) > far:
        return ShotAt(arm.name, why_not=Objection(f"out of range: it shoots {cm(far)} cm", "DR-050"))
    if sight(situation, figure, target).verdict == "blocked":
        return ShotAt(arm.name, why_not=Objection(f"{target.who.name} is not seen", "DG-02"))
    behind = arcs(situation, target, figure)[0] == REAR
    line = Line(cover(situation, figure, target).row, behind)
    call = hit_call(situation, Shot(figure.id, arm.name, target.id), "look", line)
    cell = situation.tables.missile_cell(arm.missile, range_mm(figure, target))
    factor = cell.attack_factor if cell is not None else 0
    against = defence(situation.tables, target, from_behind=behind)
    terms = tuple((term.label, term.value) for term in call.terms)
    return ShotAt(arm.name, call.target, terms, factor, against, wounds_of(situation.tables, factor, against))


def _reaches(situation: Situation, figure: Figure, target: Figure) -> Iterator[Reach]:
    for order in (Walk(figure.id, to=target.id), Run(figure.id, to=target.id)):
        route = route_of(situation, figure, order, Spent(figure.halves))
        yield Reach(str(type(order).__struct_config__.tag), route if isinstance(route, Objection) else None)
    if figure.mounted and target.who.seat != figure.who.seat:
        yield Reach("charge", next(charge_objections(situation, figure, Charge(figure.id, target.id)), None))


# ---------------------------------------------------------------------------------------------------- in words


def told(situation: Situation, seen: Look) -> list[str]:
    """A look in words, a line for each thing."""
    figures = situation.state.figures
    lines = [f"{figures[seen.figure].who.name}: " + ", ".join(map(_told_gait, seen.gaits))]
    if seen.fights:
        lines.append(f"in hand-to-hand with {', '.join(figures[name].who.name for name in seen.fights)}")
    if not seen.target:
        return lines
    target = figures[seen.target].who.name
    covered = f"{seen.cover.removeprefix('target_').replace('_', ' ')}" if seen.cover else "no cover"
    seen_as = {"clear": "in sight", "blocked": "out of sight", "doubtful": "in doubtful sight"}[seen.sight]
    lines.append(f"{target}: {cm(seen.range_mm)} cm, {seen_as}, {covered}, from the {seen.arc}")
    lines += [_told_shot(shot) for shot in seen.shots]
    lines += [f"{each.gait} into contact: {_told(each.why_not) or 'yes'}" for each in seen.reach]
    return lines


def _told_gait(gait: Gait) -> str:
    return f"{gait.gait} {cm(gait.mm)} cm" if gait.why_not is None else f"no {gait.gait} ({gait.why_not.rule})"


def _told_shot(shot: ShotAt) -> str:
    if shot.why_not is not None:
        return f"{shot.weapon}: {_told(shot.why_not)}"
    terms = " ".join(f"{value:+d} {label}" for label, value in shot.terms)
    harm = f"{shot.wounds} wound{'s' * (shot.wounds != 1)}" if shot.wounds else "cannot wound"
    return f"{shot.weapon}: {shot.percent} % ({terms}); AF {shot.attack_factor} against DF {shot.defence}: {harm}"


def _told(why: Objection | None) -> str:
    return f"no: {why.reason} ({why.rule})" if why is not None else ""
