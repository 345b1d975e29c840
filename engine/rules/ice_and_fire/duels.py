"""Single combat: heroes against heroes and against nameless men, blow by blow (IF-042 to IF-045, B-13, B-14)."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from engine.field.plane import distance_mm
from engine.rules.ice_and_fire.calls import (
    Outcome,
    Pool,
    Share,
    added,
    against,
    call,
    contest,
    outcome,
    penalty_dice,
    spare_dice,
)
from engine.rules.ice_and_fire.command import can_spend, hero_pool
from engine.rules.ice_and_fire.condition import harm_of, hurt
from engine.rules.ice_and_fire.fighting import arms_for, dice_at, handling, skill_shares
from engine.rules.ice_and_fire.ground import barred, distance, engaged_with, next_to, place_of, rectangle, yards
from engine.rules.ice_and_fire.heroes_hit import KILLED, YIELDED, fell_hero, harm_hero, hero_defence
from engine.rules.ice_and_fire.melee import Refusal, lapse, view
from engine.rules.ice_and_fire.orders import Fight
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.rule_set import Procedure, Yielded, ask, roll_all
from events.facts import RulingRequested
from events.ice_and_fire.heroes import HeroHurt, RoundsSpent, SoldierFelled, SoldierHurt, Struck
from events.ice_and_fire.kit import Arm
from events.places import Point
from projections.dice.rolls import Reading, dice_of
from projections.ice_and_fire.state import Hero, Unit

SHOTS = ("0", "1", "2", "3", "4")


def _arm(hero: Hero, weapon: str) -> Arm | None:
    return next((arm for arm in hero.profile.arms if not weapon or arm.id == weapon), None)


def _answer(situation: Situation, him: Hero, foe: Hero) -> Arm | None:
    """With what a hero meets one who fights him: blows if he is within reach, else a shot if he has a bow."""
    near = _near(situation, him, foe)
    return next((arm for arm in him.profile.arms if arm.shoots != near), None)


def _near(situation: Situation, hero: Hero, target: Hero | Unit) -> bool:
    """Whether a hero can come to blows: his unit is next to the other's, or he stands alone close to it (IF-042)."""
    unit = target if isinstance(target, Unit) else situation.state.units.get(target.unit)
    if unit is not None and hero.unit:
        return next_to(situation, situation.state.units[hero.unit], unit)
    at, reach = place_of(situation.state, hero), yards(situation, situation.tables.number("hero_reach_yd"))
    if unit is not None:
        box = rectangle(unit).outline()
        return box.west - reach <= at.x <= box.east + reach and box.south - reach <= at.y <= box.north + reach
    assert isinstance(target, Hero)
    other = place_of(situation.state, target)
    return abs(other.x - at.x) <= 2 * reach and abs(other.y - at.y) <= 2 * reach


def fight_refusal(situation: Situation, him: Hero, foe: Hero | Unit, arm: Arm) -> Refusal | None:
    """Why a hero cannot fight somebody now: too far, a wall between, not to be seen (IF-042, IF-242, IF-246, RUL-15).

    A doubtful sight is good enough for one man.
    """
    state = situation.state
    own = state.units.get(him.unit)
    its = foe if isinstance(foe, Unit) else state.units.get(foe.unit)
    if (isinstance(foe, Hero) and not state.is_here(foe.id)) or (its is not None and not its.on_field):
        return Refusal(f"{foe.name} is not there any more", "IF-042")
    if not arm.shoots:
        if not _near(situation, him, foe):
            return Refusal(f"{foe.name} is not within reach of {him.name}", "IF-042")
        rule = barred(situation, own, its) if own is not None and its is not None else ""
        return Refusal(f"something parts {him.name} from {foe.name}", rule) if rule else None
    if its is not None and "taking_cover" in its.stances:
        return Refusal(f"{foe.name} keeps behind the wall", "IF-246")
    if view(situation, place_of(state, him), _place(situation, foe)) == "blocked":
        return Refusal(f"{him.name} does not see {foe.name}", "RUL-15")
    return None


def _place(situation: Situation, whom: Hero | Unit) -> Point:
    return whom.at if isinstance(whom, Unit) else place_of(situation.state, whom)


def _far(situation: Situation, him: Hero, foe: Hero | Unit) -> int:
    """The way of a shot between a hero and somebody, in map millimetres: between their units where they have some."""
    own = situation.state.units.get(him.unit)
    its = foe if isinstance(foe, Unit) else situation.state.units.get(foe.unit)
    if own is not None and its is not None:
        return distance(own, its)
    return distance_mm(place_of(situation.state, him), _place(situation, foe))


def _odds_and_ends(situation: Situation, him: Hero, foe: Hero | Unit, arm: Arm) -> list[Share]:
    """What range, melee, saddle and hurts do to a hero's blow or shot (B §5, B-27, B-76, B-85)."""
    number = situation.tables.number
    found = handling(situation, arm, mounted=bool(him.profile.mount))
    on_foot = not (foe.mounted if isinstance(foe, Unit) else foe.profile.mount)
    if him.profile.mount and on_foot and arm.skill == "fighting":
        found.append(spare_dice(number("mounted_bonus"), "mounted against men on foot", "B-76"))
    if arm.shoots:
        found += _of_the_shot(situation, him, foe, arm)
    return found + _hindered(him)


def _of_the_shot(situation: Situation, him: Hero, foe: Hero | Unit, arm: Arm) -> list[Share]:
    far, own = dice_at(situation, _far(situation, him, foe), arm), situation.state.units.get(him.unit)
    found = [penalty_dice(far, "range", "B-80")] if far else []
    if own is not None and engaged_with(situation, own):
        found.append(penalty_dice(situation.tables.number("melee_shot_dice"), "shooting in melee", "B-85"))
    return found


class Guard:
    """How those in a single combat fight it, and what their defence is until their next turn (B-70, B-74, B-78)."""

    def __init__(self, manners: Mapping[str, str]) -> None:
        self.manners = manners
        self.until: dict[str, int] = {}

    def manner(self, hero: str) -> str:
        """How a hero fights: strike, aim, caution, dodge or yield."""
        return self.manners.get(hero, "strike")

    def defence(self, hero: Hero) -> int:
        """A hero's defence now."""
        return self.until.get(hero.id, hero_defence(hero))

    def shares(self, situation: Situation, hero: str) -> list[Share]:
        """What the manner of fighting adds to a blow and takes from it."""
        if self.manner(hero) == "aim":
            return [spare_dice(situation.tables.number("aim_bonus"), "aim", "B-70")]
        return [penalty_dice(1, "caution", "B-74")] if self.manner(hero) == "caution" else []

    def take(self, situation: Situation, hero: Hero, key: str) -> Generator[Yielded, Any, bool]:
        """A hero's turn begins: look to the guard, or give in; return whether a blow follows."""
        self.until.pop(hero.id, None)
        manner = self.manner(hero.id)
        if manner == "yield":
            yield from fell_hero(situation, hero.id, fate=YIELDED, rule="B-88")
        elif manner == "dodge":
            pool = hero_pool(situation, hero, "agility", "dodge")
            reading = yield contest(f"{key}/dodge", f"{hero.name} dodges", hero.seat, hero.id, pool, "B-78")
            self.until[hero.id] = reading.total
        elif manner == "caution":
            self.until[hero.id] = hero_defence(hero) + situation.tables.number("hold_defence")
        return manner not in ("yield", "dodge")


def fight(situation: Situation, order: Fight, manners: Mapping[str, str], text: str) -> Procedure:
    """Some combat rounds of single combat; each costs one of the hero's ten (IF-042, IF-043, IF-046).

    `manners` says how each hero fights in this round: who is not named strikes.
    """
    hero, target, weapon, rounds = order.piece, order.target, order.weapon or "", order.rounds
    him = situation.state.heroes[hero]
    foe = situation.state.heroes.get(target) or situation.state.units.get(target)
    arm = _arm(him, weapon)
    if foe is None or arm is None:
        yield lapse(hero, text, Refusal("there is nobody to fight, or nothing to fight with", "IF-042"))
        return
    refusal = fight_refusal(situation, him, foe, arm)
    if refusal is None and not can_spend(situation, him, "deeds", rounds):
        refusal = Refusal(f"{him.name} has not {rounds} combat rounds left", "IF-046")
    if refusal is not None:
        yield lapse(hero, text, refusal)
        return
    yield RoundsSpent(hero, "deeds", rounds, "IF-046")
    if isinstance(foe, Hero):
        yield from _duel(situation, hero, target, arm, rounds, Guard(manners))
    else:
        yield from _against_men(situation, hero, target, arm, rounds, Guard(manners))


def _duel(situation: Situation, hero: str, target: str, arm: Arm, rounds: int, guard: Guard) -> Procedure:
    """Hero against hero: the quicker strikes first (B-33), both each round, until one falls.

    Archers about a hero who is shot at shoot back (IF-045).
    """
    turn = situation.state.table.turn
    pair = [situation.state.heroes[hero], situation.state.heroes[target]]
    keys = [f"t{turn}/duel/{hero}>{target}/quick/{each.id}" for each in pair]
    calls = [
        contest(
            key,
            f"{each.name}: quickness",
            each.seat,
            each.id,
            hero_pool(situation, each, "agility", "quickness"),
            "B-33",
            other,
        )
        for each, key, other in zip(pair, keys, reversed(keys), strict=True)
    ]
    readings = yield from roll_all(calls)
    first = readings[0].total >= readings[1].total
    order = (hero, target) if first else (target, hero)
    fumbled: set[str] = set()
    for number in range(1, rounds + 1):
        for striker in order:
            struck = target if striker == hero else hero
            him, other = situation.state.heroes[striker], situation.state.heroes[struck]
            if not (him.up and other.up):
                return
            used = arm if striker == hero else _answer(situation, him, other)
            key = f"t{turn}/duel/{hero}>{target}/{number}/{striker}"
            strikes = yield from guard.take(situation, him, key)
            if used is None or striker in fumbled or not strikes:
                fumbled.discard(striker)
                continue
            if (yield from _blow(situation, striker, struck, used, key, guard)):
                fumbled.add(striker)
    about = situation.state.heroes[target].unit
    if arm.shoots and about:
        yield from _return_shots(situation, hero, about)


def _blow(
    situation: Situation, striker: str, struck: str, arm: Arm, key: str, guard: Guard
) -> Generator[Yielded, Any, bool]:  # fmt: skip
    """One attack of a hero on a hero; return whether he fumbled it (AMB-50, B-13, B-14)."""
    him, other = situation.state.heroes[striker], situation.state.heroes[struck]
    pool = Pool(
        (
            *skill_shares(situation, him.profile, arm, him.name),
            *_odds_and_ends(situation, him, other, arm),
            *guard.shares(situation, striker),
        ),
        him.profile.abilities[arm.skill],
    )  # fmt: skip
    cd = guard.defence(other)
    made = call(
        key, f"{him.name} at {other.name}", him.seat, striker, pool, (against(cd, "defence", "B-20"),), "IF-042"
    )
    reading = yield made
    result = outcome(situation.tables, reading, made.target)
    number = situation.tables.number
    sixes = _sixes(made.dice, reading) if result.total >= number("critical_times") * cd else 0
    base = arm.damage + number("six_damage") * min(sixes, number("sixes_for_damage"))
    harm, before = harm_of(base, result.degrees, max(other.profile.ar - arm.piercing, 0))
    yield Struck(striker, struck, arm.id, result.degrees, harm, "IF-042", key, before_limits=before)
    if sixes >= number("sixes_injure"):
        yield from _dire(situation, other, sixes, striker)
    if situation.state.heroes[struck].up:
        yield from harm_hero(situation, struck, harm, striker, "B-27", deadly="vicious" in arm.qualities)
    return all(face == 1 for face in reading.faces)


def _hindered(hero: Hero) -> list[Share]:
    found = []
    if hero.injuries:
        found.append(added(-hero.injuries, "injuries", "B-27"))
    if hero.wounds:
        found.append(penalty_dice(hero.wounds, "wounds", "B-27"))
    return found


def _sixes(dice: str, reading: Reading) -> int:
    """How many of the dice that count show a six (B-14)."""
    kept = dice_of(dice).kept(reading.faces)
    return sum(1 for face, counts in zip(reading.faces, kept, strict=True) if counts and face == 6)


def _dire(situation: Situation, other: Hero, sixes: int, by: str) -> Procedure:
    """Three sixes of a critical hit injure, four wound, five kill (B-14)."""
    number = situation.tables.number
    injuries = other.injuries + (sixes == number("sixes_injure"))
    wounds = other.wounds + (sixes == number("sixes_wound"))
    if sixes < number("sixes_kill"):
        yield HeroHurt(other.id, 0, other.damage, injuries, wounds, by, "B-14")
    if sixes >= number("sixes_kill") or wounds >= other.profile.abilities["endurance"]:
        yield from fell_hero(situation, other.id, fate=KILLED, rule="B-14")


def _against_men(situation: Situation, hero: str, unit: str, arm: Arm, rounds: int, guard: Guard) -> Procedure:
    """A hero against nameless men: he first, then one of them, or two if he is with no unit (IF-043, IF-044)."""
    turn = situation.state.table.turn
    for number in range(1, rounds + 1):
        him, it = situation.state.heroes[hero], situation.state.units[unit]
        if not him.up or not it.on_field:
            return
        key = f"t{turn}/single/{hero}>{unit}/{number}"
        if (yield from guard.take(situation, him, key)):
            yield from _at_a_man(situation, him, it, arm, key, guard)
        if arm.shoots:
            continue
        men = "men_against_hero" if him.unit else "men_against_lone_hero"
        for man in range(1, situation.tables.number(men) + 1):
            if situation.state.heroes[hero].up:
                yield from _by_a_man(
                    situation, situation.state.units[unit], hero, f"{key}/man{man}", guard, shooting=False
                )
    if arm.shoots:
        yield from _return_shots(situation, hero, unit)


def _at_a_man(situation: Situation, him: Hero, it: Unit, arm: Arm, key: str, guard: Guard) -> Procedure:
    """The hero's turn: a man felled costs his unit a point of damage and a casualty after the battle (IF-044)."""
    shares = (
        *skill_shares(situation, him.profile, arm, him.name),
        *_odds_and_ends(situation, him, it, arm),
        *guard.shares(situation, him.id),
    )
    pool = Pool(shares, him.profile.abilities[arm.skill])
    cd = it.profile.cd + it.profile.shield
    lines = (against(cd, f"a man of {it.name}", "B-20"),)
    made = call(key, f"{him.name} at a man of {it.name}", him.seat, him.id, pool, lines, "IF-043")
    reading = yield made
    result: Outcome = outcome(situation.tables, reading, made.target)
    harm, before = harm_of(arm.damage, result.degrees, max(it.profile.ar - arm.piercing, 0))
    yield Struck(him.id, it.id, arm.id, result.degrees, harm, "IF-043", key, before_limits=before)
    if not harm:
        return
    total = harm + (him.foe_damage if him.foe == it.id else 0)
    man = situation.tables.number("health_each_endurance") * it.profile.abilities["endurance"]
    if total < man:
        yield SoldierHurt(him.id, it.id, total, "IF-043")
        return
    yield SoldierFelled(him.id, it.id, "IF-044")
    yield from hurt(situation, it.id, 1, him.id, "IF-044", key)


def _by_a_man(situation: Situation, it: Unit, hero: str, key: str, guard: Guard, *, shooting: bool) -> Procedure:
    """A man's turn against the hero (IF-043)."""
    arms = arms_for(it, shooting=shooting)
    if not arms:
        return
    arm = max(arms, key=lambda each: each.damage)
    him = situation.state.heroes[hero]
    shares = skill_shares(situation, it.profile, arm, it.name)
    far = dice_at(situation, _far(situation, him, it), arm) if shooting else 0
    if far:
        shares.append(penalty_dice(far, "range", "B-80"))
    pool = Pool(tuple(shares), it.profile.abilities[arm.skill])
    lines = (against(guard.defence(him), "defence", "B-20"),)
    made = call(key, f"a man of {it.name} at {him.name}", it.seat, it.id, pool, lines, "IF-043")
    reading = yield made
    result = outcome(situation.tables, reading, made.target)
    harm, before = harm_of(arm.damage, result.degrees, max(him.profile.ar - arm.piercing, 0))
    yield Struck(it.id, hero, arm.id, result.degrees, harm, "IF-043", key, soldier=True, before_limits=before)
    if harm:
        yield from harm_hero(situation, hero, harm, it.id, "IF-043", deadly="vicious" in arm.qualities)


def _return_shots(situation: Situation, hero: str, unit: str) -> Procedure:
    """Archers may shoot back at a hero who shoots: how often is the referee's to say (IF-045, RUL-06)."""
    it = situation.state.units[unit]
    if not arms_for(it, shooting=True) or not it.fights:
        return
    turn = situation.state.table.turn
    usual = str(situation.tables.number("return_shots"))
    name = situation.state.heroes[hero].name
    question = f"how many shots does {it.name} send back at {name}?"
    key = f"t{turn}/return/{unit}>{hero}"
    shots: int = int((yield from ask(RulingRequested(key, "RUL-06", question, SHOTS, usual))))
    for number in range(1, shots + 1):
        if situation.state.heroes[hero].up:
            yield from _by_a_man(situation, it, hero, f"{key}/{number}", Guard({}), shooting=True)
