"""A plain sheet of orders for a side: what a steady commander would write, the same every time."""

from __future__ import annotations

import msgspec

from engine.orders import AnyOrder, read_recorded
from engine.rules.ice_and_fire import orders as o
from engine.rules.ice_and_fire.alone import choose
from engine.rules.ice_and_fire.calls import kept_dice, odds
from engine.rules.ice_and_fire.chances import chance_of
from engine.rules.ice_and_fire.command import chain_down, hero_pool, issuer_of, last_giver, order_chance, out_of_hand
from engine.rules.ice_and_fire.ground import adjacent_foes
from engine.rules.ice_and_fire.heroes import deed_refusal
from engine.rules.ice_and_fire.objections import objections
from engine.rules.ice_and_fire.situation import Situation
from projections.ice_and_fire.state import BattleField, Hero, Unit


def autoplay(situation: Situation, seat: str) -> list[AnyOrder]:
    """The orders: one for each unit as its standing order would have it, within what its commander can give.

    Deterministic. A routed unit is told to reform; leaders inspire, or lead from the front where there is melee. Posts
    that nobody holds any more are taken over first.
    """
    found: list[AnyOrder] = []
    if situation.state.counted:
        return found
    for post, taker in taken_over(situation.state, seat):
        found.append(o.TakePost(taker, post))
        posts = situation.state.posts
        held = msgspec.structs.replace(posts[post], holder=taker)
        situation = Situation(msgspec.structs.replace(situation.state, posts={**posts, post: held}), situation.tables)
    state = situation.state
    given: dict[str, int] = {}
    for name in sorted(state.units):
        unit = state.units[name]
        if unit.seat == seat and unit.fights:
            found += _to_unit(situation, unit, given)
    for name in sorted(state.heroes):
        hero = state.heroes[name]
        if hero.seat == seat and hero.up and given.get(name, 0) + 2 <= situation.tables.number("combat_rounds"):
            found += _of_hero(situation, hero)
    return found


def taken_over(state: BattleField, seat: str) -> list[tuple[str, str]]:
    """The posts of a side whose holder is gone, the highest first, each with the hero who takes it (IF-016).

    Who leads a unit of the post comes first, then who is with one, then others; never who holds a post already, unless
    nobody else is left: then it is who commands the post above.
    """
    found: list[tuple[str, str]] = []
    busy = {post.holder for post in state.posts.values()}
    for post in sorted(state.posts.values(), key=lambda each: (len(_above(state, each.id)), each.id)):
        if post.seat != seat or state.is_here(post.holder):
            continue
        free = [hero for hero in state.heroes.values() if hero.seat == seat and state.is_here(hero.id)]
        able = [hero for hero in free if hero.id not in busy]
        if able:
            best = min(able, key=lambda hero: (*_closeness(state, hero, post.id), hero.id)).id
        else:
            best = next((over for over in _above(state, post.id) if state.is_here(over)), "")
        if best:
            busy.add(best)
            found.append((post.id, best))
    return found


def _above(state: BattleField, post: str) -> list[str]:
    """Who holds the posts above one, from the nearest up."""
    found, here = [], state.posts.get(state.posts[post].above)
    while here is not None:
        found.append(here.holder)
        here = state.posts.get(here.above)
    return found


def _closeness(state: BattleField, hero: Hero, post: str) -> tuple[bool, bool]:
    unit = state.units.get(hero.unit)
    with_it = unit is not None and unit.post == post
    return not with_it, not hero.leader


def _to_unit(situation: Situation, unit: Unit, given: dict[str, int]) -> list[AnyOrder]:
    state = situation.state
    issuer = issuer_of(state, unit, None)
    hero = state.heroes.get(issuer)
    giver = last_giver(state, hero, unit) if hero is not None else None
    if giver is None or out_of_hand(situation, giver, unit):
        return []
    path = chain_down(state, issuer, unit) or ()
    cost = 1 + bool(path)
    if given.get(issuer, 0) + cost > situation.tables.number("orders") - 1:
        return []
    order = _order(situation, unit)
    if order is None or not chance_of(situation, order) or any(objections(situation, order)):
        return []
    if not order_chance(situation, giver, unit, reform=isinstance(order, o.Reform)):
        return []
    given[issuer] = given.get(issuer, 0) + cost
    return [order]


def _order(situation: Situation, unit: Unit) -> o.UnitOrder | None:
    if unit.condition == "routed":
        return o.Reform(unit.id)
    how, mark = standing_of(situation.state, unit.id)
    return choose(situation, unit, how, mark)


def standing_of(state: BattleField, unit: str) -> tuple[str, str]:
    """What a unit is to do without orders; to fight, if nothing is said."""
    text = next((each.text for each in state.table.orders if each.piece == unit and each.slot == "standing"), "")
    if not text:
        return "fight", ""
    order = read_recorded(text, o.GRAMMAR)
    assert isinstance(order, o.Standing)
    return order.how, order.at or ""


def _of_hero(situation: Situation, hero: Hero) -> list[AnyOrder]:
    unit = situation.state.units.get(hero.unit)
    if unit is None:
        return []
    if "wedge" in unit.stances and deed_refusal(situation, hero, "first") is None:
        return [o.First(hero.id)]
    if hero.leader and deed_refusal(situation, hero, "inspire") is None and adjacent_foes(situation, unit):
        pool = hero_pool(situation, hero, "warfare", "command", (kept_dice(1, "with the unit", "IF-047"),))
        good, _ = odds(pool, situation.tables.number("inspire_tn"), situation.tables)
        if 2 * good.of > good.out_of:
            return [o.Inspire(hero.id)]
    return []
