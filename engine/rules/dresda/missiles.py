"""Missile fire: the chance to hit, and a volley in which all shots fall at once (DR-006, DR-050 to DR-058)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from engine.field.plane import distance_mm
from engine.rules.dresda.actions import action_cost
from engine.rules.dresda.calls import D10, option, percent_call, table_call, terms_of
from engine.rules.dresda.contact import engaged_now
from engine.rules.dresda.ground import height_at, is_lit, sees_in_dark
from engine.rules.dresda.mounted import mount_struck_call
from engine.rules.dresda.sight_and_arcs import (
    HIDDEN,
    IN_COVER,
    arc_question,
    arcs,
    cover,
    cover_question,
    sight,
    sight_question,
)
from engine.rules.dresda.situation import Situation
from engine.rules.dresda.tables import counted
from engine.rules.dresda.weather import firing_rows
from engine.rules.dresda.wounds import defence, defence_terms, take_effect, wounds_of
from engine.rules.rule_set import Yielded, ask_all, roll_all
from events.dresda import AimLost, Arm, Hurt, HurtHeld, ShotFired, ShotStrayed
from events.facts import OrderLapsed, RollCalled, RulingRequested, Term
from projections.dice.rolls import Reading
from projections.dresda.captions import cm
from projections.dresda.state import Figure

REAR: Final = "rear"
NOBODY: Final = "nobody"
FACES_A_FRIEND: Final = 2
"""Faces of the D10 on which a miss into a hand-to-hand strikes each friend there, with the standing answer `roll`."""
_RULES: Final[Mapping[str, str]] = {
    "aimed": "DR-061",
    "firer_wounded": "DR-043",
    "night": "DR-056",
    "night_target_lit": "DR-056",
    "rain": "DA-24",
    "fog": "DA-24",
    "strong_wind": "DA-24",
}
"""Firing modifiers under a rule of their own; all others are under DR-051."""


class Shot(Struct, frozen=True):
    """A shot or throw that will be made: by whom, with which weapon, at whom, and the text of its order."""

    figure: str
    weapon: str
    target: str
    text: str = ""
    aimed: bool = False


class Line(Struct, frozen=True):
    """What the referee and the ground say of a shot: the cover row that counts, and whether it strikes from behind."""

    cover: str = ""
    from_behind: bool = False


def range_mm(firer: Figure, target: Figure) -> int:
    """The range in whole millimetres, rounded up, so that what is printed is what is looked up (DR-050)."""
    return distance_mm(firer.place, target.place)


# ---------------------------------------------------------------------------------------------------- the chance


def hit_call(situation: Situation, shot: Shot, key: str, line: Line) -> RollCalled:
    """The d100 to hit: the cell's percent and all modifiers, kept within 1 and 100 (DR-050 to DR-053)."""
    tables, state = situation.tables, situation.state
    firer, target = state.figures[shot.figure], state.figures[shot.target]
    arm = _arm(firer, shot.weapon)
    weapon, distance = tables.weapon(arm.missile), range_mm(firer, target)
    cell = tables.missile_cell(arm.missile, distance)
    assert cell is not None, "out of range is no shot (DR-050), and is refused before"
    race = tables.race(firer.who.race)
    held = [
        name
        for name in circumstances(situation, firer, target, shot.aimed, line.cover)
        if tables.firing_row(name).concerns(weapon.kind, sees_in_dark(tables, firer))
    ]
    terms = [Term(f"{shot.weapon} at {cm(distance)} cm", cell.percent, "DR-050", weapon.mark("cells"))]
    if race.missile_pct:
        terms.append(Term(race.id.replace("_", " "), race.missile_pct, "DR-051", race.mark("missile_pct")))
    terms += terms_of(counted(tables.firing, held, firer.wounds), _RULES, "DR-051")
    letter = firer.mood_at(state.turn)
    if letter and (effect := tables.morale_effect(letter)).fire_pct:
        terms.append(Term(effect.name, effect.fire_pct, "DR-114", effect.mark("fire_pct")))
    total = sum(term.value for term in terms)
    limits = tables.hit_floor_pct, tables.hit_ceiling_pct  # DR-052
    return percent_call(
        key, f"{firer.who.name} to hit {target.who.name}", firer, total, "DR-053", "hit", tuple(terms), limits=limits
    )


def circumstances(situation: Situation, firer: Figure, target: Figure, aimed: bool, cover_row: str) -> Iterator[str]:
    """The firing modifiers that hold for a shot (DR-051). In (b) the last movement is that of the turn before."""
    state = situation.state
    in_b = state.phase == "aimed"
    firer_gait, target_gait = (each.gait_before if in_b else each.gait for each in (firer, target))
    if aimed:
        yield "aimed"  # DR-061, DA-10: ten points
    if firer.mounted:
        yield "firer_mounted_halted" if firer_gait == "stand" else "firer_mounted_moving"
    elif firer_gait != "stand":
        yield "firer_walked" if firer_gait == "walk" else "firer_ran"
    if firer.prone:
        yield "firer_prone"
    if height_at(state, firer.place) > height_at(state, target.place):
        yield "firer_on_higher_ground"
    if firer.charged_by:
        yield "firer_charged_this_turn"
    if cover_row:
        yield cover_row
    if target.prone:
        yield "target_prone"
    if target_gait in ("run", "charge"):
        yield "target_mounted_fast" if target.mounted else "target_ran"
    elif target_gait == "stand" and (in_b or target.gait_before == "stand"):
        yield "target_stationary"
    yield from _size(situation, target)
    if any(foe.id != firer.id for foe in engaged_now(situation, target)):
        yield "target_in_hand_to_hand"
    yield from firing_rows(state, is_lit(state, target))  # DR-056, DA-24, DA-24a
    yield f"status_{firer.who.status}"


def _size(situation: Situation, target: Figure) -> Iterator[str]:
    size = situation.tables.race(target.who.race).size
    if size == "huge":
        yield "target_huge"
    elif target.mounted or size == "large":
        yield "target_large"
    elif size == "small":
        yield "target_small"


def farthest_mm(situation: Situation, arm: Arm) -> int:
    """How far a weapon shoots in this weather; 0 for no limit but its own (DR-050, fog)."""
    reach = situation.tables.weapon(arm.missile).reach_mm
    limits = [situation.tables.firing_row(name).no_fire_beyond_mm for name in firing_rows(situation.state, False)]
    return min([reach, *(limit for limit in limits if limit)])


# ---------------------------------------------------------------------------------------------------- the volley


def volley(situation: Situation, shots: Sequence[Shot]) -> Generator[Yielded, Any, None]:
    """All shots of a phase: every one is made, then wounds take effect (DR-006, DA-03).

    With the option `wounds_apply = "after_d"` those of (b) are held back until all fire of (d) is over.
    """
    phase = situation.state.phase
    shots = sorted(shots, key=lambda shot: (shot.figure, shot.target))
    lines = yield from _lines(situation, shots)
    shots = [shot for shot in shots if shot.figure in lines]
    calls = [hit_call(situation, shot, f"{shot_key(situation, shot)}/hit", lines[shot.figure]) for shot in shots]
    readings = yield from roll_all(calls)
    struck = yield from _strays(situation, shots, readings)
    firing = {shot.figure for shot in shots}
    hits: list[tuple[Shot, Figure, int, str]] = []
    fired = [
        _fired(situation, shot, call.key, bool(reading.success), lines[shot.figure], firing)
        for shot, call, reading in zip(shots, calls, readings, strict=True)
    ]
    for shot, each, victim in zip(shots, fired, struck, strict=True):
        if victim:
            figure = situation.state.figures[victim]
            wounds = wounds_of(
                situation.tables, each.attack_factor, _defence_of(situation, shot, figure, lines, firing)
            )
            hits.append((shot, figure, wounds, each.key))
    yield from fired
    for shot, figure, _, _ in hits:
        if figure.id != shot.target:
            yield ShotStrayed(shot.figure, shot.target, figure.id, "DG-08")
    hurts = yield from _hurts(situation, hits)
    if phase == "aimed" and option(situation, "wounds_apply") == "after_d":
        for hurt in hurts:
            yield HurtHeld(hurt, "DA-03")
    else:
        yield from take_effect(situation, [*situation.state.held, *hurts])


def shot_key(situation: Situation, shot: Shot) -> str:
    """What the keys of a shot's rolls begin with."""
    phase = "aimed" if shot.aimed else "missile"
    return f"t{situation.state.turn}/{phase}/{shot.figure}>{shot.target}"


def _lines(situation: Situation, shots: Sequence[Shot]) -> Generator[Yielded, Any, dict[str, Line]]:
    """Settle sight, cover and side of each shot, asking where the ground leaves it open (DG-02, DG-03)."""
    questions: list[RulingRequested] = []
    figures = situation.state.figures
    for shot in shots:
        firer, target = figures[shot.figure], figures[shot.target]
        seen, covered, sides = (
            sight(situation, firer, target),
            cover(situation, firer, target),
            arcs(situation, target, firer),
        )
        if seen.verdict == "doubtful":
            questions.append(sight_question(situation, firer, target, seen.met))
        if covered.disputed:
            questions.append(cover_question(situation, firer, target))
        if len(sides) > 1 and _side_matters(target, sides):
            questions.append(arc_question(situation, target, firer, sides, situation.state.phase))
    answers = yield from ask_all(questions)
    ruled = {question.key: answer for question, answer in zip(questions, answers, strict=True)}
    lines: dict[str, Line] = {}
    for shot in shots:
        firer, target = figures[shot.figure], figures[shot.target]
        if ruled.get(sight_question(situation, firer, target, ()).key) == HIDDEN:
            reason = f"{target.who.name} is out of sight"
            if shot.aimed:
                yield AimLost(shot.figure, reason, "DR-063")
            else:
                yield OrderLapsed(shot.figure, shot.text, reason, "DG-02")
            continue
        covered, sides = cover(situation, firer, target), arcs(situation, target, firer)
        counts = not covered.disputed or ruled[cover_question(situation, firer, target).key] == IN_COVER
        side = ruled.get(arc_question(situation, target, firer, sides, situation.state.phase).key, sides[0])
        lines[shot.figure] = Line(covered.row if counts else "", side == REAR)
    return lines


def _side_matters(target: Figure, sides: Sequence[str]) -> bool:
    """Whether it makes a difference from where a shot comes: only the rear does, and only for a shield (DR-045)."""
    return bool(target.who.shield) and REAR in sides


def _fired(situation: Situation, shot: Shot, key: str, hit: bool, line: Line, firing: set[str]) -> ShotFired:
    """The fact of a shot (DR-057: a thrown weapon is gone; DA-12: firing costs its part of the move)."""
    firer, target = situation.state.figures[shot.figure], situation.state.figures[shot.target]
    arm = _arm(firer, shot.weapon)
    weapon = situation.tables.weapon(arm.missile)
    cell = situation.tables.missile_cell(arm.missile, range_mm(firer, target))
    assert cell is not None
    mark = weapon.mark("cells")
    attack = Term(f"Attack Factor of {weapon.id.replace('_', ' ')}", cell.attack_factor, "DR-050", mark)
    against = defence_terms(situation.tables, target, from_behind=line.from_behind, firing=firing)
    return ShotFired(
        shot.figure,
        shot.target,
        shot.weapon,
        hit,
        "DR-061" if shot.aimed else "DR-053",
        key,
        aimed=shot.aimed,
        attack_factor=cell.attack_factor,
        defence=sum(term.value for term in against),
        thrown=weapon.thrown,  # DA-11a, DA-17
        unloads=weapon.reload_action != "none",
        halves=action_cost(situation, "throw_weapon" if weapon.thrown else "fire_missile"),
        terms=(attack, *against) if hit else (),
    )


def _defence_of(situation: Situation, shot: Shot, victim: Figure, lines: Mapping[str, Line], firing: set[str]) -> int:
    """The Defence Factor of whoever is struck; one who was not meant is struck from where the firer stands."""
    if victim.id == shot.target:
        behind = lines[shot.figure].from_behind
    else:
        behind = arcs(situation, victim, situation.state.figures[shot.figure])[0] == REAR
    return defence(situation.tables, victim, from_behind=behind, firing=firing)


def _strays(
    situation: Situation, shots: Sequence[Shot], readings: Sequence[Reading]
) -> Generator[Yielded, Any, list[str]]:
    """Who is struck by each shot: its target, nobody, or after a miss into a hand-to-hand a friend (DG-08)."""
    struck = [shot.target if reading.success else "" for shot, reading in zip(shots, readings, strict=True)]
    asked: list[tuple[int, RulingRequested]] = []
    for at, shot in enumerate(shots):
        firer, target = situation.state.figures[shot.figure], situation.state.figures[shot.target]
        foes = engaged_now(situation, target)
        friends = [foe.id for foe in foes if foe.who.seat == firer.who.seat and foe.id != firer.id]
        if not struck[at] and friends:
            question = f"{firer.who.name} missed {target.who.name} in hand-to-hand: is a friend struck, and who?"
            key = f"{shot_key(situation, shot)}/stray"
            asked.append((at, RulingRequested(key, "DG-08", question, (NOBODY, *friends), NOBODY)))
    answers = yield from _who_is_struck(situation, [question for _, question in asked])
    for (at, _), answer in zip(asked, answers, strict=True):
        struck[at] = "" if answer == NOBODY else answer
    return struck


def _who_is_struck(situation: Situation, questions: Sequence[RulingRequested]) -> Generator[Yielded, Any, list[str]]:
    """Whom misses into a hand-to-hand strike: as the referee says, or by the standing answer of the battle (DA-31)."""
    standing = option(situation, "misses_into_melee")
    if standing == "ask":
        answers = yield from ask_all(questions)
        return answers
    if standing == NOBODY:
        return [NOBODY for _ in questions]
    calls = [_stray_call(situation, question) for question in questions]
    readings = yield from roll_all(calls)
    return [_struck_by(question.choices, reading.total) for question, reading in zip(questions, readings, strict=True)]


def _stray_call(situation: Situation, question: RulingRequested) -> RollCalled:
    """The D10 that tells whom a miss strikes (DA-31)."""
    firer = situation.state.figures[question.key.split("/")[2].partition(">")[0]]
    purpose = f"whom {firer.who.name}'s miss strikes"
    return table_call(question.key, purpose, firer, "DA-31", D10, lambda total: _struck_by(question.choices, total))


def _struck_by(choices: Sequence[str], total: int) -> str:
    """Whom a D10 strikes: each friend beside the target on two faces, of more than five the first five."""
    friends = choices[1:]
    at = (total - 1) // FACES_A_FRIEND
    return friends[at] if at < len(friends) else NOBODY


def can_wound(situation: Situation, firer: Figure, target: Figure, arm: Arm) -> bool:
    """Whether a hit with a missile weapon would wound a target at its range now, from the front (DR-054)."""
    cell = situation.tables.missile_cell(arm.missile, range_mm(firer, target)) if arm.missile else None
    against = defence(situation.tables, target, from_behind=False)
    return cell is not None and wounds_of(situation.tables, cell.attack_factor, against) > 0


def _hurts(situation: Situation, hits: Sequence[tuple[Shot, Figure, int, str]]) -> Generator[Yielded, Any, list[Hurt]]:
    """The wounds of a volley; of those on a mounted rider a d100 each tells whether the mount takes it (DR-070).

    A hit that does not wound calls for no such roll.
    """
    wounding = [hit for hit in hits if hit[2]]
    ridden = [hit for hit in wounding if hit[1].mounted]
    calls = [
        mount_struck_call(situation, f"{key.removesuffix('/hit')}/mount", situation.state.figures[shot.figure], victim)
        for shot, victim, _, key in ridden
    ]
    readings = yield from roll_all(calls)
    on_mount = {
        key: (situation.tables.struck(reading.total).struck == "mount", call.key)
        for (_, _, _, key), call, reading in zip(ridden, calls, readings, strict=True)
    }
    hurts = []
    for shot, victim, wounds, key in wounding:
        struck, also = on_mount.get(key, (False, ""))
        keys = (key, also) if also else (key,)
        hurts.append(Hurt(victim.id, shot.figure, wounds, "DR-070" if struck else "DR-055", key, struck, keys))
    return hurts


def _arm(figure: Figure, weapon: str) -> Arm:
    arm = figure.arm_named(weapon)
    assert arm is not None, f"{figure.id} has no {weapon}; that is refused before"
    return arm
