"""Blows: Parry Types, odds, hits and what becomes of them (SP-024 to SP-037, SA-08)."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.rules.rhand import calls
from engine.rules.rhand.impact import factor_of, final_impact, glanced, stopped
from engine.rules.rhand.positions import option, skill_of
from engine.rules.rhand.rulings import effects
from engine.rules.rhand.situation import Situation
from engine.rules.rhand.table_rows import DAMAGE_CODES
from engine.rules.rhand.tables import DODGE, FULL_PARRY, NO_PARRY, Tables
from engine.rules.rhand.wounds import Hit, wound
from engine.rules.rule_set import Yielded, ask, roll_all
from events import rhand as facts
from events.facts import OrderLapsed, RollCalled, RulingRequested, Term
from projections.rhand.captions import words
from projections.rhand.state import Fighter, Rhand


class Strike(Struct, frozen=True, gc=False):
    """One declared blow, worked out: with what row of 2A, which dice, whether the target sees it.

    `damage` is cut, stab, flange or blunt; `held` marks a grapple, whose effect is the referee's. `armed` is false for
    blows without a weapon.
    """

    by: str
    target: str
    number: int
    stroke: str
    blow: str
    weapon: str
    dice: str
    damage: str
    attack_level: int
    seen: bool
    text: str
    aim: str = ""
    armed: bool = True
    held: bool = False


class Guard(Struct, frozen=True, gc=False):
    """How a defender stands this phase: parries with weapon and shield, whether he dodges and did before, his table."""

    weapon: int = 0
    shield: int = 0
    dodge: bool = False
    was_dodging: bool = False
    table: str = NO_PARRY

    @property
    def parries(self) -> int:
        """Parries of either kind count alike (SP-023)."""
        return self.weapon + self.shield


def parry_type(
    tables: Tables, *, seen: int, unseen: int, parries: int, dodge: bool, was_dodging: bool
) -> tuple[str, str]:
    """The table of the counted blows and the rule that says so (SP-024 to SP-029, SPX-12).

    A dodge covers every blow once it has begun; it cannot begin against blows that are all unseen.
    """
    if dodge and (seen or was_dodging):
        return DODGE, "SPX-12"
    if dodge and unseen:
        return NO_PARRY, "SPX-12"
    table = tables.parry_table(parries, seen)
    return table, {FULL_PARRY: "SP-025", NO_PARRY: "SP-027"}.get(table, "SP-026")


def guards(
    situation: Situation, strikes: Sequence[Strike], declared: Mapping[str, Guard]
) -> Generator[Yielded, Any, dict[str, Guard]]:
    """Find each defender's Parry Type: one a phase, against all attackers together (SP-024, SP-029)."""
    state, tables = situation.state, situation.tables
    found: dict[str, Guard] = {}
    for name in sorted({strike.target for strike in strikes}):
        fighter, guard = state.fighters[name], declared.get(name, Guard())
        seen = sum(strike.seen for strike in strikes if strike.target == name)
        unseen = sum(not strike.seen for strike in strikes if strike.target == name)
        if fighter.is_horse:
            table, rule = tables.mount(fighter.mount).defence_table, "SPX-16"
        else:
            table, rule = parry_type(
                tables,
                seen=seen,
                unseen=unseen,
                parries=guard.parries,
                dodge=guard.dodge,
                was_dodging=guard.was_dodging,
            )
        yield facts.ParryTyped(name, seen, guard.parries, unseen, table, rule)
        found[name] = replace(guard, table=table)
    return found


def table_for(state: Rhand, tables: Tables, strike: Strike, guard: Guard) -> tuple[str, str]:
    """The table of one blow: unseen ones always 4G, except at a dodger or a horse (SP-028, SA-11)."""
    striker, foe = state.fighters[strike.by], state.fighters[strike.target]
    if striker.is_horse:
        return tables.mount(striker.mount).attack_table, "SPX-16"
    if foe.is_horse or strike.seen or (guard.table == DODGE and guard.dodge):
        return guard.table, "SP-030"
    return NO_PARRY, "SP-028"


def resolve(
    situation: Situation, strikes: Sequence[Strike], guard: Mapping[str, Guard], act: str
) -> Generator[Yielded, Any, None]:
    """Resolve blows: all together (SA-08), or where chosen one after the other, by Agility."""
    if option(situation.state, "resolution", "simultaneous") == "simultaneous":
        yield from _strike(situation, strikes, guard, act)
        return
    state = situation.state
    for strike in sorted(strikes, key=lambda each: (-state.fighters[each.by].agility, each.by, each.number)):
        striker = situation.state.fighters[strike.by]
        if striker.down or (strike.armed and not striker.is_horse and not striker.in_hand and striker.weapon):
            yield OrderLapsed(strike.by, strike.text, f"{striker.name} cannot strike any more", "SA-08")
        else:
            yield from _strike(situation, [strike], guard, act)


def _strike(
    situation: Situation, strikes: Sequence[Strike], guard: Mapping[str, Guard], act: str
) -> Generator[Yielded, Any, None]:
    called = [_to_hit(situation, strike, guard[strike.target], act) for strike in strikes]
    rolls = yield from roll_all(called)
    landed: list[tuple[Strike, str]] = []
    parried: list[tuple[Strike, str]] = []
    for strike, call, rolled in zip(strikes, called, rolls, strict=True):
        fighter, foe = situation.state.fighters[strike.by], situation.state.fighters[strike.target]
        table, _ = table_for(situation.state, situation.tables, strike, guard[foe.id])
        key = call.key.removesuffix("/hit")
        yield facts.BlowJudged(
            fighter=fighter.id, target=foe.id, number=strike.number, stroke=strike.stroke, blow=strike.blow,
            weapon=strike.weapon, table=table, attack_level=strike.attack_level, skill=skill_of(foe, situation.tables),
            odds=call.target, hit=bool(rolled.success), key=call.key,
        )  # fmt: skip
        if rolled.success:
            landed.append((strike, key))
        elif _met_the_parry(situation, strike, guard[foe.id], rolled.total):
            parried.append((strike, key))
    hits = yield from _impacts(situation, [*landed, *parried], len(landed), guard)
    yield from wound(situation, hits)
    for strike, key in landed:
        if strike.held:
            yield from _hold(situation, strike, key)


def _to_hit(situation: Situation, strike: Strike, guard: Guard, act: str) -> RollCalled:
    """Call for the roll to hit at the odds of table, Attack Level and defender's skill (SP-030, SP-031)."""
    state, tables = situation.state, situation.tables
    fighter, foe = state.fighters[strike.by], state.fighters[strike.target]
    table, rule = table_for(state, tables, strike, guard)
    skill = skill_of(foe, tables)
    odds = tables.odds(table, strike.attack_level, skill)
    grid = tables.attack[table]
    cell = f"table {table}, row {grid.row_at(strike.attack_level)}, column {grid.column_at(skill)}"
    key = f"{act}/{fighter.id}>{foe.id}/{strike.number}/hit"
    purpose = f"{fighter.name}'s blow {strike.number}, a {strike.stroke} {words(strike.blow)} at {foe.name}"
    die = option(state, "hit_die", "00-99")
    terms = (Term(cell, odds, rule, grid.source_at(strike.attack_level, skill)),)
    return calls.to_hit(key, purpose, fighter.seat, fighter.id, odds, terms, "SP-031", die)


def _met_the_parry(situation: Situation, strike: Strike, guard: Guard, roll: int) -> bool:
    """Whether a blow that missed would have hit an undefended man: then it struck the parry (SPX-19, our reading)."""
    state, tables = situation.state, situation.tables
    if option(state, "cut_through", "off") == "off" or not guard.parries or not strike.seen or guard.dodge:
        return False
    return roll <= tables.odds(NO_PARRY, strike.attack_level, skill_of(state.fighters[strike.target], tables))


def _impacts(
    situation: Situation, blows: Sequence[tuple[Strike, str]], landed: int, guard: Mapping[str, Guard]
) -> Generator[Yielded, Any, list[Hit]]:
    """Roll Impact Damage, and where chosen whether it glances and what a parry stops of it (SP-032, SPX-19)."""
    state, tables = situation.state, situation.tables
    glancing = option(state, "glancing", "off") == "on"
    called: list[RollCalled] = []
    for strike, key in blows:
        fighter = state.fighters[strike.by]
        what = f"impact of {fighter.name}'s {strike.stroke} {words(strike.blow)}"
        called.append(calls.impact(f"{key}/impact", what, fighter.seat, fighter.id, strike.dice))
    if glancing:
        for strike, key in blows:
            fighter = state.fighters[strike.by]
            what = f"how squarely {fighter.name} strikes"
            called.append(calls.percent(f"{key}/glancing", what, fighter.seat, fighter.id, "SPX-19"))
    rolls = yield from roll_all(called)
    hits: list[Hit] = []
    for at, (strike, key) in enumerate(blows):
        fighter, foe = state.fighters[strike.by], state.fighters[strike.target]
        factor = Fraction(1) if fighter.is_horse else factor_of(situation, fighter, foe, strike.stroke, strike.weapon)
        impact = final_impact(rolls[at].total, factor, option(state, "half_impact", "down"))
        mark = tables.strokes[strike.stroke].mark("impact_multiplier")
        terms = (Term(f"impact {rolls[at].total} times {factor}", impact, "SP-033", mark),) if factor != 1 else ()
        code = yield from _damage_table(situation, strike, key)
        if glancing:
            roll = rolls[len(blows) + at].total
            read, impact = glanced(tables, code, foe.armor_class, impact, roll)
            row = int(tables.glancing.row_at(read))
            yield facts.Glanced(fighter.id, foe.id, read, row, foe.armor_class, impact, f"{key}/glancing")
        if at >= landed:
            impact = yield from _through(situation, strike, code, impact, guard[foe.id], key)
        if impact > 0 or at < landed:
            ahead = fighter.level(strike.weapon) - skill_of(foe, tables)
            keys = (called[at].key,)
            hits.append(Hit(foe.id, fighter.id, fighter.seat, key, code, impact, strike.aim, ahead, terms, keys))
    return hits


def _damage_table(situation: Situation, strike: Strike, key: str) -> Generator[Yielded, Any, str]:
    """The damage table by the blow (SP-034); for an odd one the referee's (SG-04)."""
    if strike.blow != "odd":
        return DAMAGE_CODES[strike.damage]
    name = situation.state.fighters[strike.by].name
    answer = yield from ask(
        RulingRequested(
            f"{key}/table", "SG-04", f"how does {name}'s odd blow harm?", ("cut", "stab", "flange", "blunt"), "blunt"
        )
    )
    return DAMAGE_CODES[answer]


def _through(
    situation: Situation, strike: Strike, code: str, impact: int, guard: Guard, key: str
) -> Generator[Yielded, Any, int]:
    """What goes on through the shield or the weapon that parried (SPX-19)."""
    tables, foe = situation.tables, situation.state.fighters[strike.target]
    by = "shield" if guard.shield else "weapon"
    if guard.shield and guard.weapon:
        question = f"does {foe.name}'s shield or weapon meet the blow?"
        by = yield from ask(RulingRequested(f"{key}/parry", "SPX-19", question, ("shield", "weapon"), "shield"))
    if by == "shield":
        stop, weight, name = "shield", tables.shield(foe.shield).weight_lb, foe.shield
    else:
        row = tables.weapon(foe.in_hand or "fist")
        stop, weight, name = f"weapon_{2 if row.hands > 1 else 1}h", row.weight_lb, row.id
    taken = min(impact, stopped(tables, code, stop, weight))
    yield facts.CutThrough(strike.by, foe.id, name, taken, impact - taken)
    return impact - taken


def _hold(situation: Situation, strike: Strike, key: str) -> Generator[Yielded, Any, None]:
    """What a grapple does is the referee's (SPX-17)."""
    striker: Fighter = situation.state.fighters[strike.by]
    question = f"{striker.name} grapples {situation.state.fighters[strike.target].name}: what does the hold do?"
    yield from effects(situation, f"{key}/hold", "SPX-17", question, striker.id, "grapple", (strike.target,), "nothing")
