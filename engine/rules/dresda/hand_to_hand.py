"""Phase (e): hand-to-hand, an opposed D10 for each pairing, all at once (DR-007, DR-080 to DR-094)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from engine.field.plane import away, step
from engine.rules.dresda.bases import base_mm, take_room
from engine.rules.dresda.bodies import straight_stop
from engine.rules.dresda.calls import opposed_calls, option, terms_of
from engine.rules.dresda.contact import can_strike, parted
from engine.rules.dresda.ground import WATER, barrier_shape, height_at, is_lit, onto_field, stands_in, up_to_barrier
from engine.rules.dresda.mounted import YES, judge_mounts
from engine.rules.dresda.sight_and_arcs import arc_question, arcs
from engine.rules.dresda.situation import Situation
from engine.rules.dresda.table_rows import HthBand
from engine.rules.dresda.tables import counted
from engine.rules.dresda.wounds import shield_slung, take_effect
from engine.rules.rule_set import Yielded, ask_all, roll_all
from events.dresda import Fought, Hurt, KnockedDown, PushedBack, PushIgnored
from events.facts import RollCalled, RulingRequested, Term
from events.places import Point
from projections.dice.rolls import Reading
from projections.dresda.state import Figure

FRONT, SIDE, REAR = "front", "side", "rear"
WARDED_OFF: Final = "only wards off the blow"
_RULES: Final[Mapping[str, str]] = {
    "wounded": "DR-043",
    "attacked_in_side": "DR-088",
    "attacked_in_rear": "DR-088",
}

Arcs = Mapping[tuple[str, str], str]
"""From which side (figure, enemy) attacks the figure."""


class Combat(Struct, frozen=True):
    """One combat: `one` against `other`, or with `mount` the mount of `one` against `other`."""

    one: str
    other: str
    mount: bool = False


class Push(Struct, frozen=True):
    """How far an enemy pushes a figure back, and the rolls that decided it."""

    mm: int
    keys: tuple[str, ...]


class Outcome(Struct, frozen=True):
    """How a combat ended: who lost, empty for a draw, and what he suffers."""

    combat: Combat
    loser: str
    band: HthBand
    key: str
    keys: tuple[str, ...]

    def pushes(self, figure: str, *, mount: bool) -> bool:
        """Whether it pushes back a figure, or its mount."""
        lost = self.loser == figure and (self.combat.mount and self.combat.one == figure) == mount
        return lost and self.band.push_back_mm > 0


def hand_to_hand(situation: Situation) -> Generator[Yielded, Any, None]:
    """Phase (e): every pairing is fought once; then wounds, pushes and falls take effect together."""
    pairs = fighting_pairs(situation)
    yield from judge_mounts(situation, _riders(situation, pairs))
    combats = list(combats_of(situation, pairs))
    sides = yield from _sides(situation, pairs)
    calls = [call for combat in combats for call in combat_calls(situation, combat, pairs, sides)]
    readings = yield from roll_all(calls)
    outcomes = []
    for at, combat in enumerate(combats):
        one, other = 2 * at, 2 * at + 1
        fought, outcome = _decided(situation, combat, calls[one : other + 1], readings[one : other + 1], sides)
        yield fought
        outcomes.append(outcome)
    places = {figure.id: figure.place for figure in situation.state.standing()}
    pushes = yield from _pushes(situation, outcomes)
    yield from take_effect(situation, list(_hurts(outcomes)))
    for name in sorted(pushes):
        if not situation.state.figures[name].gone:
            keys = tuple(key for enemy in sorted(pushes[name]) for key in pushes[name][enemy].keys)
            yield PushedBack(name, _pushed_to(situation, name, pushes[name], places), "DR-086", keys)
    down = {each.loser: each.keys for each in outcomes if each.band.prone and not _of_mount(each)}
    for name in sorted(down):
        if not situation.state.figures[name].gone:
            yield KnockedDown(name, "DR-082", down[name])
    if (ended := parted(situation)) is not None:
        yield ended


def fighting_pairs(situation: Situation) -> list[tuple[str, str]]:
    """The engaged enemies who are both still there and within reach (DR-080, DR-087)."""
    figures = situation.state.figures
    return [
        (one, other)
        for one, other in sorted(situation.state.engaged)
        if not figures[one].gone and not figures[other].gone and can_strike(situation, figures[one], figures[other])
    ]


def combats_of(situation: Situation, pairs: Sequence[tuple[str, str]]) -> Iterator[Combat]:
    """The combats of each pair: between the two, and of each mount that fights with its rider's enemy (DR-089)."""
    for one, other in pairs:
        yield Combat(one, other)
        for rider, enemy in ((one, other), (other, one)):
            if _mount_fights(situation.state.figures[rider]):
                yield Combat(rider, enemy, mount=True)


def _mount_fights(figure: Figure) -> bool:
    return figure.mounted and figure.mount_fights == YES


def _riders(situation: Situation, pairs: Sequence[tuple[str, str]]) -> list[Figure]:
    return [situation.state.figures[name] for name in sorted({name for pair in pairs for name in pair})]


# ---------------------------------------------------------------------------------------------------- from which side


def _sides(situation: Situation, pairs: Sequence[tuple[str, str]]) -> Generator[Yielded, Any, Arcs]:
    """From which side each attacks the other; on a boundary the referee says (DG-03, DA-14).

    A mount that fights counts as in front (DR-090). Its rider attacks from where it is; with the option
    `rider_of_fighting_mount = "front"` it counts as in front as well.
    """
    in_front = option(situation, "rider_of_fighting_mount") == "front"  # DA-28
    found: dict[tuple[str, str], str] = {}
    questions: dict[tuple[str, str], RulingRequested] = {}
    for pair in pairs:
        for name, enemy in (pair, pair[::-1]):
            figure, attacker = situation.state.figures[name], situation.state.figures[enemy]
            between = (FRONT,) if in_front and _mount_fights(attacker) else arcs(situation, figure, attacker)
            found[name, enemy] = between[0]
            if len(between) > 1:
                questions[name, enemy] = arc_question(situation, figure, attacker, between, "melee")
    asked = sorted(questions)
    answers = yield from ask_all([questions[each] for each in asked])
    found.update(zip(asked, answers, strict=True))
    return found


# ---------------------------------------------------------------------------------------------------- the dice


def combat_calls(
    situation: Situation, combat: Combat, pairs: Sequence[tuple[str, str]], sides: Arcs
) -> list[RollCalled]:
    """The two D10 of a combat, each with the odds of every result as its side sees it (DR-081 to DR-083, DA-13)."""
    one, other = situation.state.figures[combat.one], situation.state.figures[combat.other]
    first, second = _key(situation, combat)
    fighter = f"{one.who.name}'s {one.mount.replace('_', ' ')}" if combat.mount else one.who.name
    mine = mount_terms(situation, one) if combat.mount else fighter_terms(situation, one, other, sides)
    names = (fighter, other.who.name)
    helpless = (not combat.mount and is_helpless(situation, one), is_helpless(situation, other))

    def read(at: int, lead: int) -> str:
        if lead == 0:
            return "draw"
        winner, loser = (at, 1 - at) if lead > 0 else (1 - at, at)
        if helpless[winner]:
            return f"{names[winner]} {WARDED_OFF}"
        return f"{names[loser]} {situation.tables.hth_result(abs(lead)).result}"

    return opposed_calls(
        [
            (first, f"{fighter} against {other.who.name}", one, mine),
            (second, f"{other.who.name} against {fighter}", other, fighter_terms(situation, other, one, sides)),
        ],
        "DR-089" if combat.mount else "DR-081",
        read,
    )


def _key(situation: Situation, combat: Combat) -> tuple[str, str]:
    mount = ".mount" if combat.mount else ""
    pairing = f"t{situation.state.turn}/melee/{combat.one}{mount}~{combat.other}"
    return f"{pairing}/{combat.one}{mount}", f"{pairing}/{combat.other}"


def mount_terms(situation: Situation, rider: Figure) -> tuple[Term, ...]:
    """What a mount that fights adds to its own roll: its own value and nothing else (DR-081, DR-089)."""
    mount = situation.tables.mount(rider.mount)
    return (Term(mount.id.replace("_", " "), mount.hand_to_hand, "DR-089", mount.mark("hand_to_hand")),)


def fighter_terms(situation: Situation, figure: Figure, against: Figure, sides: Arcs) -> tuple[Term, ...]:
    """What a figure adds to its roll against an enemy: race, equipment, training, state; and what its position against
    any of its enemies gives or takes, in all of its combats (DR-081, DR-088)."""
    tables = situation.tables
    race = tables.race(figure.who.race)
    terms = [Term(race.id.replace("_", " "), race.hand_to_hand, "DR-081", race.mark("hand_to_hand"))]
    terms = terms if race.hand_to_hand else []
    held = list(_own_rows(situation, figure))
    for name, enemy in sides:
        if name == figure.id:
            rows = _rows_against(situation, figure, situation.state.figures[enemy], sides[name, enemy])
            held += [row for row in rows if enemy == against.id or _carries_over(situation, row)]
    held = [name for name in dict.fromkeys(held) if not (tables.hth_row(name).dark and race.sees_in_dark)]
    terms += terms_of(counted(tables.hth, held, figure.wounds), _RULES, "DR-081")
    letter = figure.mood_at(situation.state.turn)
    if letter and (effect := tables.morale_effect(letter)).hth:
        terms.append(Term(effect.name, effect.hth, "DR-114", effect.mark("hth")))
    return tuple(terms)


def _carries_over(situation: Situation, row: str) -> bool:
    """Whether a row of the position against one enemy counts against the others as well (DR-088).

    DA-27: a row that is about one enemy, such as a spear against cavalry, counts in the combat with that one alone;
    with the option `rows_for_one_enemy = "every_combat"` it counts in all combats, as DR-088 can be read.
    """
    return not situation.tables.hth_row(row).one_enemy or option(situation, "rows_for_one_enemy") == "every_combat"


def is_helpless(situation: Situation, figure: Figure) -> bool:
    """Whether a figure can do nothing this turn: it wards off blows, but strikes none (DR-072)."""
    return figure.lost_until >= situation.state.turn


def _own_rows(situation: Situation, figure: Figure) -> Iterator[str]:
    """The rows of a figure's equipment, training and state (DR-044: no shield while it is slung)."""
    arm, row = figure.arm, situation.tables.hth_row(figure.arm.melee)
    yield row.otherwise if row.otherwise and not figure.charge_met else row.id
    if figure.off_hand and not arm.two_handed:
        yield "second_weapon"
    if figure.who.shield and not shield_slung(figure):
        yield figure.who.shield
    if figure.who.armour:
        yield figure.who.armour
    yield f"status_{figure.who.status}"
    if figure.prone or figure.rose:
        yield "prone_or_rising"
    if figure.pushed_before:
        yield "pushed_back_last_turn"
    if figure.charge_met:
        yield "mount_charging"  # DA-05: only a charge that struck
    if stands_in(situation.state, figure.place, WATER):
        yield "in_water_or_bog"


def _rows_against(situation: Situation, figure: Figure, enemy: Figure, side: str) -> Iterator[str]:
    """The rows of a figure's position against one enemy."""
    state = situation.state
    if side == SIDE:
        yield "attacked_in_side"
    elif side == REAR:
        yield "attacked_in_rear"
    braced = "spear_or_polearm_against_cavalry"
    charged = enemy.charge_met and enemy.charge == figure.id and side == FRONT
    if charged and figure.arm.melee in situation.tables.hth_row(braced).weapons:
        yield braced
    if height_at(state, figure.place) > height_at(state, enemy.place):
        yield "higher_ground"
    if figure.mounted and not enemy.mounted:
        yield "mounted_against_foot"
    if figure.gait == "stand" and _behind_barrier(situation, figure, enemy):
        yield "behind_wall_or_barricade"
    if state.light == "night" and not is_lit(state, figure) and not is_lit(state, enemy):
        yield "fighting_blind_at_night"


def _behind_barrier(situation: Situation, figure: Figure, enemy: Figure) -> bool:
    """Whether a covering barrier lies between the two; it helps who has not moved (house reading)."""
    return any(
        barrier.cover and barrier_shape(barrier.points).crosses(figure.place, enemy.place) == "crosses"
        for barrier in situation.state.walls
    )


# ---------------------------------------------------------------------------------------------------- the results


def _decided(
    situation: Situation, combat: Combat, calls: Sequence[RollCalled], readings: Sequence[Reading], sides: Arcs
) -> tuple[Fought, Outcome]:
    """The higher total wins, and the loser suffers the row for the difference (DR-082, DR-083, DA-15a)."""
    lead = readings[0].total - readings[1].total
    winner = situation.state.figures[combat.one if lead > 0 else combat.other]
    warded = lead != 0 and is_helpless(situation, winner) and not (combat.mount and winner.id == combat.one)
    band = situation.tables.hth_result(0 if warded else abs(lead))  # house reading: who can do nothing harms nobody
    loser = "" if warded or not lead else combat.other if lead > 0 else combat.one
    key = calls[1].key if loser == combat.other else calls[0].key
    fought = Fought(
        combat.one,
        combat.other,
        readings[0].total,
        readings[1].total,
        loser,
        WARDED_OFF if warded else band.result,
        "DR-072" if warded else "DR-083" if not lead else "DR-082",
        (calls[0].key, calls[1].key),
        combat.mount,
        one_in_rear=not combat.mount and sides[combat.one, combat.other] == REAR,
        other_in_rear=sides[combat.other, combat.one] == REAR,
    )
    return fought, Outcome(combat, loser, band, key, fought.keys)


def _of_mount(outcome: Outcome) -> bool:
    """Whether it is a mount that lost."""
    return outcome.combat.mount and outcome.loser == outcome.combat.one


def _hurts(outcomes: Sequence[Outcome]) -> Iterator[Hurt]:
    """The wounds of all combats; those of a rider stand, whatever becomes of his push (DR-094, DA-23)."""
    for outcome in outcomes:
        if not outcome.loser or not outcome.band.wounds:
            continue
        combat = outcome.combat
        winner = combat.one if outcome.loser == combat.other else combat.other
        on_mount = _of_mount(outcome)
        rule = "DR-094" if on_mount else "DR-082"
        yield Hurt(outcome.loser, winner, outcome.band.wounds, rule, outcome.key, on_mount, outcome.keys)


def _pushes(situation: Situation, outcomes: Sequence[Outcome]) -> Generator[Yielded, Any, dict[str, dict[str, Push]]]:
    """Who is pushed back by whom, and how far, as far as it counts (DR-086, DR-091 to DR-093)."""
    counts: dict[str, dict[str, Push]] = {}
    pairs = sorted({(name, enemy) for each in outcomes for name, enemy in _both(each.combat)})
    for name, enemy in pairs:
        between = [each for each in outcomes if {each.combat.one, each.combat.other} == {name, enemy}]
        rider = [each for each in between if each.pushes(name, mount=False)]
        mount = [each for each in between if each.pushes(name, mount=True)]
        prevailed = any(
            each.combat.mount and each.combat.one == name and each.loser == enemy
            and (each.band.wounds or each.band.push_back_mm)
            for each in between
        )  # fmt: skip
        if mount and not rider:
            yield PushIgnored(name, True, "DR-091", _keys(between))
        elif rider and prevailed:
            yield PushIgnored(name, False, "DR-092", _keys(between))
        elif rider:  # DR-093: rider and mount together
            counts.setdefault(name, {})[enemy] = Push(max(each.band.push_back_mm for each in rider), _keys(between))
    return counts


def _keys(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """The rolls of some combats."""
    return tuple(key for outcome in outcomes for key in outcome.keys)


def _both(combat: Combat) -> tuple[tuple[str, str], tuple[str, str]]:
    return (combat.one, combat.other), (combat.other, combat.one)


def _pushed_to(situation: Situation, name: str, pushes: Mapping[str, Push], places: Mapping[str, Point]) -> Point:
    """Where pushes leave a figure: straight away from each enemy that pushed it, all measured from where it stood.

    House readings: on one spot with its enemy it goes the way that one faces; nobody is pushed off the table; and
    a push stops at a barrier, and where bases touch (DA-30).
    """
    here = places[name]
    x, y = here.x, here.y
    for enemy in sorted(pushes):
        there = places[enemy]
        mm = pushes[enemy].mm
        to = away(here, there, mm) if there != here else _ahead(situation, enemy, here, mm)
        x, y = x + to.x - here.x, y + to.y - here.y
    end = up_to_barrier(situation.state, here, onto_field(situation.state, Point(x, y)))
    if not take_room(situation):
        return end
    figure = situation.state.figures[name]
    others = {each.place: base_mm(situation, each) for each in situation.state.standing() if each.id != name}
    return straight_stop(here, end, base_mm(situation, figure), others)


def _ahead(situation: Situation, enemy: str, here: Point, mm: int) -> Point:
    east, north = step(situation.state.figures[enemy].facing, mm)
    return Point(here.x + east, here.y + north)
