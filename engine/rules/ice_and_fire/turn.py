"""A battle round from initiative to its end, as acts in their order (§1, AMB-40, AMB-41).

Mustering (before the first round), initiative, heroes' deeds, orders, single combats, units on their own, the end.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import msgspec

from engine.orders import AnyOrder, read_recorded
from engine.rules.ice_and_fire import orders as o
from engine.rules.ice_and_fire.aftermath import can_merge, count, draw_off, finished, merge, withdraw_side
from engine.rules.ice_and_fire.alone import act_alone
from engine.rules.ice_and_fire.calls import contest
from engine.rules.ice_and_fire.carried import Carried
from engine.rules.ice_and_fire.command import (
    Link,
    can_spend,
    carried_by,
    chain_down,
    hero_pool,
    issuer_of,
    last_giver,
    out_of_hand,
    relay,
    sees_over,
    to_unit,
)
from engine.rules.ice_and_fire.duels import fight
from engine.rules.ice_and_fire.engines import burn
from engine.rules.ice_and_fire.ground import manning
from engine.rules.ice_and_fire.heroes import attach, deed, ride, take_post
from engine.rules.ice_and_fire.judgement import may_refuse, muster_questions
from engine.rules.ice_and_fire.melee import Refusal, lapse
from engine.rules.ice_and_fire.moving import finish_quitting
from engine.rules.ice_and_fire.objections import carry_out, spends, surrender
from engine.rules.ice_and_fire.situation import Situation
from engine.rules.ice_and_fire.walls_held import after_rout
from engine.rules.rule_set import Procedure, Yielded, ask, ask_all, orders_in_hand, roll_all
from events.facts import BattleEnded, OrderLapsed, RulingRequested, TurnBegan
from events.ice_and_fire.siege import GroundNamed, WallTaken
from events.ice_and_fire.units import InitiativeWon, SideWithdraws, UnitActed
from projections.battle_state import PendingOrder
from projections.ice_and_fire.state import BattleField, Hero

PHASES = ("muster", "initiative", "heroes", "orders", "duels", "alone", "end")
SLOTS = {
    "heroes": ("take", "attach", "deed", "go"),
    "orders": ("order", "leader", "side"),
    "duels": ("stance", "fight"),
}


class Entry(msgspec.Struct, frozen=True):
    """An order to a unit as it stands on a side's list."""

    number: int
    unit: str
    slot: str
    order: o.UnitOrder
    text: str


def muster(situation: Situation) -> Procedure:
    """Before the first round the referee says what holds for the whole battle (RUL-10 to RUL-13, RUL-17, RUL-18)."""
    questions = muster_questions(situation)
    answers = yield from ask_all(questions)
    for question, answer in zip(questions, answers, strict=True):
        if question.rule == "RUL-17":
            yield GroundNamed(question.key.rpartition("/")[2], answer, "RUL-17")


def initiative(situation: Situation) -> Procedure:
    """Each side's commander tests Warfare (Strategy); the higher goes first, of equals the first seat (AMB-40)."""
    state = situation.state
    seats = [seat.id for seat in state.table.seats]
    leaders = [(seat, commander(state, seat)) for seat in seats]
    tested = [(seat, hero) for seat, hero in leaders if hero is not None]
    keys = {seat: f"t{state.table.turn}/initiative/{seat}" for seat, _ in tested}
    pair = keys if len(tested) == 2 else {}
    calls = [
        contest(
            keys[seat],
            f"{hero.name}: strategy",
            seat,
            hero.id,
            hero_pool(situation, hero, "warfare", "strategy"),
            "AMB-40",
            "".join(key for other, key in pair.items() if other != seat),
        )
        for seat, hero in tested
    ]
    readings = yield from roll_all(calls)
    totals = {seat: reading.total for (seat, _), reading in zip(tested, readings, strict=True)}
    ranked = sorted(seats, key=lambda seat: (-totals.get(seat, -1), seats.index(seat)))
    yield InitiativeWon(tuple(ranked), "AMB-40")


def commander(state: BattleField, seat: str) -> Hero | None:
    """A side's overall commander: who holds the post with none above it, if he has not fallen (IF-010)."""
    for _, post in sorted(state.posts.items()):
        if post.seat == seat and not post.above and state.is_here(post.holder):
            return state.heroes[post.holder]
    return None


def hands(situation: Situation, *slots: str) -> list[tuple[PendingOrder, AnyOrder]]:
    """The orders in hand of some slots, read, by piece: never by order of arrival."""
    table = situation.state.table
    return [taken for slot in slots for taken in orders_in_hand(table, o.GRAMMAR, (slot,))]


def heroes(situation: Situation) -> Procedure:
    """What heroes do first: take command, join units, inspire, lead (IF-046 to IF-056)."""
    for given, order in hands(situation, "take", "attach", "deed", "go"):
        if not situation.state.is_here(given.piece):
            continue
        match order:
            case o.TakePost():
                yield from take_post(situation, given.piece, order.post)
            case o.Attach():
                yield from attach(situation, given.piece, order.unit, given.text, leading=order.leading)
            case o.Inspire():
                yield from deed(situation, given.piece, "inspire", given.text)
            case o.Lead():
                yield from deed(situation, given.piece, "lead", given.text)
            case o.First():
                yield from deed(situation, given.piece, "first", given.text)
            case o.Ride():
                yield from ride(situation, given.piece, order.to, given.text)


def give_orders(situation: Situation) -> Procedure:
    """The sides' orders in turn, beginning with the higher initiative; each is carried out at once (AMB-40, B-101)."""
    for given, side_order in hands(situation, "side"):
        if isinstance(side_order, o.WithdrawAll):
            yield from withdraw_side(situation, given.seat)
        elif isinstance(side_order, o.YieldAll):
            for name in sorted(situation.state.units):
                unit = situation.state.units[name]
                if unit.seat == given.seat and unit.fights:
                    yield from surrender(situation, name)
    lists = _lists(situation)
    giver = Giver(situation)
    for place in range(max((len(entries) for entries in lists), default=0)):
        for entries in lists:
            if place < len(entries):
                yield from giver.give(entries[place], entries[place + 1 :])
    yield from _all_withdraw(situation, lists)


def _lists(situation: Situation) -> list[list[Entry]]:
    """Each side's orders by number, then unit; sides by initiative."""
    found: dict[str, list[Entry]] = {seat: [] for seat in situation.state.initiative}
    for given, order in hands(situation, "order", "leader"):
        assert isinstance(order, o.UnitOrder)
        number = order.number
        found.setdefault(given.seat, []).append(Entry(number, given.piece, given.slot, order, given.text))
    return [sorted(entries, key=lambda each: (each.number, each.unit, each.slot)) for entries in found.values()]


def _all_withdraw(situation: Situation, lists: Sequence[Sequence[Entry]]) -> Procedure:
    """A side that has told all its units to draw back has ended the battle (IF-181)."""
    told = {entry.unit for entries in lists for entry in entries if isinstance(entry.order, o.Withdraw)}
    for seat in situation.state.initiative:
        own = [unit for unit in situation.state.units.values() if unit.seat == seat and unit.fights]
        if own and all(unit.id in told for unit in own) and seat not in situation.state.withdrawing:
            yield SideWithdraws(seat, "IF-181")


class Giver:
    """Goes through the sides' lists, keeping what each relayed order came to and what waits for a later one."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.links: dict[str, Link] = {}
        self.held: dict[str, tuple[Entry, Carried]] = {}
        self.barred: dict[str, str] = {}

    def give(self, entry: Entry, later: Sequence[Entry]) -> Procedure:
        """One order: tested link by link, then carried out, unless a later one to the unit goes before (AMB-08)."""
        unit = self.situation.state.units[entry.unit]
        if self.barred.get(entry.unit) == entry.slot:
            yield OrderLapsed(entry.unit, entry.text, "another order was followed", "RUL-02")
            return
        if not unit.fights:
            yield OrderLapsed(entry.unit, entry.text, f"{unit.name} takes no orders any more", "IF-163")
            return
        rival = next((each for each in later if each.unit == entry.unit and not _fit(entry, each)), None)
        choice = "latest"
        if rival is not None:
            choice = yield from self._which(entry)
            winner = {"commander": "order", "leader": "leader"}.get(choice, "")
            if winner:
                self.barred[entry.unit] = "leader" if winner == "order" else "order"
                if winner != entry.slot:
                    yield OrderLapsed(entry.unit, entry.text, "another order was followed", "RUL-02")
                    return
        carried = yield from self._accepted(entry)
        if carried is None:
            kept = self.held.pop(entry.unit, None)
            if kept is not None:
                yield from carry_out(self.situation, kept[0].order, kept[1], kept[0].text)
            return
        if rival is not None and choice == "latest":
            self.held[entry.unit] = (entry, carried)
            return
        kept = self.held.pop(entry.unit, None)
        if kept is not None:
            yield OrderLapsed(entry.unit, kept[0].text, "a later order came", "RUL-02")
        yield from carry_out(self.situation, entry.order, carried, entry.text)

    def _which(self, entry: Entry) -> Generator[Yielded, Any, str]:
        unit = self.situation.state.units[entry.unit]
        key = f"t{self.situation.state.table.turn}/whose/{entry.unit}"
        question = f"{unit.name} has an order from above and one from its leader: which does it follow?"
        return (yield from ask(RulingRequested(key, "RUL-02", question, ("latest", "commander", "leader"), "latest")))

    def _accepted(self, entry: Entry) -> Generator[Yielded, Any, Carried | None]:
        """Test the links; what the unit brings to its tests, or None if the order did not come through."""
        situation = self.situation
        unit, order = situation.state.units[entry.unit], entry.order
        if isinstance(order, o.Yield) and unit.condition == "routed":
            return Carried(sure=True)
        hero = situation.state.heroes.get(issuer_of(situation.state, unit, order.by))
        refusal = self._cannot(entry, hero)
        if hero is None or refusal is not None:
            yield lapse(entry.unit, entry.text, refusal or Refusal("nobody commands it", "IF-010"))
            return None
        path = chain_down(situation.state, hero.id, unit) or ()
        link = yield from self._relayed(hero, list(path), entry)
        if link is None:
            return None
        last = situation.state.heroes[path[-1].holder] if path else hero
        if not can_spend(situation, last, "orders"):
            yield lapse(entry.unit, entry.text, Refusal(f"{last.name} has no order left", "IF-012"))
            return None
        reforming = isinstance(order, o.Reform)
        charging = isinstance(order, o.Charge | o.Trample)
        guided = isinstance(order, o.Attack) and order.guided and sees_over(situation, last, order.target)
        key = f"t{situation.state.table.turn}/order/{last.id}>{entry.unit}"
        link = yield from to_unit(
            situation, last, unit, link, key, reform=reforming, charging=charging, guided=guided
        )  # fmt: skip
        return (yield from self._through(entry, link, guided=guided))

    def _cannot(self, entry: Entry, hero: Hero | None) -> Refusal | None:
        """Why an order cannot be given now (IF-010, IF-011, IF-163, IF-223)."""
        situation, unit = self.situation, self.situation.state.units[entry.unit]
        if hero is None or not situation.state.is_here(hero.id):
            return Refusal("there is nobody to give the order", "IF-010")
        leads = hero.unit == unit.id and hero.leader
        if chain_down(situation.state, hero.id, unit) is None and not leads:
            return Refusal(f"{hero.name} does not command {unit.name}", "IF-010")
        if not can_spend(situation, hero, "orders"):
            return Refusal(f"{hero.name} has no order left", "IF-011")
        giver = last_giver(situation.state, hero, unit)
        rule = out_of_hand(situation, giver, unit) if giver is not None else ""
        if giver is not None and rule:
            return Refusal(f"{giver.name}, who gives the order, is not with {unit.name} in the wood", rule)
        return None

    def _relayed(self, hero: Hero, path: list[Any], entry: Entry) -> Generator[Yielded, Any, Link | None]:
        """The links above the last: one test for all orders of one number that go the same way (IF-012, IF-013)."""
        link, giver = Link(), hero
        for place in range(len(path)):
            way = ">".join(post.id for post in path[place:])
            key = f"t{self.situation.state.table.turn}/relay/{hero.id}/{entry.number}/{giver.id}>{way}"
            if key not in self.links:
                now = self.situation.state.heroes[giver.id]
                receiver = self.situation.state.heroes.get(path[place].holder)
                if receiver is None or not self.situation.state.is_here(receiver.id):
                    yield lapse(
                        entry.unit,
                        entry.text,
                        Refusal(f"nobody holds {path[place].name}: a hero must take it", "IF-013"),
                    )
                    return None
                if not can_spend(self.situation, now, "orders"):
                    yield lapse(entry.unit, entry.text, Refusal(f"{now.name} has no order left", "IF-011"))
                    return None
                charging = isinstance(entry.order, o.Charge | o.Trample)
                made = yield from relay(self.situation, now, path[place:], link, key, charging=charging)
                self.links[key] = made
            link = self.links[key]
            if link.lost:
                yield lapse(entry.unit, entry.text, Refusal("the order was misunderstood on the way", link.lost))
                return None
            giver = self.situation.state.heroes[path[place].holder]
        return link

    def _through(self, entry: Entry, link: Link, *, guided: bool) -> Generator[Yielded, Any, Carried | None]:
        """The order has come: a lost one idles the unit, a routed unit obeys a success alone, men may refuse."""
        situation, unit = self.situation, self.situation.state.units[entry.unit]
        if link.lost:
            yield lapse(entry.unit, entry.text, Refusal("the order was misunderstood", link.lost))
            if link.idle and unit.fights:
                yield UnitActed(entry.unit, "idle", 2, "RUL-05")
            return None
        if unit.condition == "routed" and not link.sure:
            yield lapse(entry.unit, entry.text, Refusal(f"{unit.name} is past hearing it", "AMB-06a"))
            return None
        if not unit.fights or (yield from may_refuse(situation, entry.unit, entry.order)):
            return None
        return carried_by(link, guided=guided)


def _fit(one: Entry, other: Entry) -> bool:
    """Whether two orders to a unit go together: then they complement each other (IF-049, IF-005, IF-006)."""
    lesser, attacks = (sum(pair) for pair in zip(spends(one.order), spends(other.order), strict=True))
    return lesser <= 2 and attacks <= 1


def duels(situation: Situation) -> Procedure:
    """Single combats (IF-042 to IF-045)."""
    manners = {given.piece: order.how for given, order in hands(situation, "stance") if isinstance(order, o.Manner)}
    for given, order in hands(situation, "fight"):
        if isinstance(order, o.Fight) and situation.state.is_here(given.piece):
            yield from fight(situation, order, manners, given.text)


def alone(situation: Situation) -> Procedure:
    """Units without an order act: by standing orders, or as the referee says (IF-091, RUL-01)."""
    turn = situation.state.table.turn
    standing = {order.piece: order.text for order in situation.state.table.orders if order.slot == "standing"}
    free = [
        unit
        for unit in situation.state.units.values()
        if unit.fights and not unit.acted and unit.id not in standing and unit.condition != "routed"
    ]
    usual = "independent"
    if free:
        question = f"how do the {len(free)} units without any order act in this round?"
        choices = ("independent", "hold", "stay", "withdraw")
        usual = yield from ask(RulingRequested(f"t{turn}/independent", "RUL-01", question, choices, "independent"))
    seats = list(situation.state.initiative)
    for name in sorted(situation.state.units, key=lambda each: (seats.index(situation.state.units[each].seat), each)):
        how, mark = usual, ""
        if name in standing:
            order = read_recorded(standing[name], o.GRAMMAR)
            assert isinstance(order, o.Standing)
            how, mark = order.how, order.at or ""
        yield from act_alone(situation, name, how, mark)


def end(situation: Situation) -> Procedure:
    """The round ends: units quit, fires burn; once the battle is over its cost is counted (IF-130, IF-180)."""
    for name in sorted(situation.state.units):
        unit = situation.state.units[name]
        if "quitting" in unit.stances and unit.on_field:
            yield from finish_quitting(situation, name)
    yield from burn(situation)
    for name in sorted(situation.state.units):
        yield from after_rout(situation, name, "", melee=False)
    for name in sorted(situation.state.units):
        unit = situation.state.units[name]
        if unit.contested and unit.fights and not manning(situation.state, unit.on_wall, against=unit.seat):
            gear = tuple(each for each in unit.gear if situation.tables.gear[each].climb_dice)
            yield WallTaken(unit.on_wall, name, gear, "AMB-34a")
    yield from draw_off(situation)
    over = finished(situation.state)
    if over is None:
        yield TurnBegan(situation.state.table.turn + 1)
        return
    yield from count(situation)
    if not can_merge(situation.state):
        yield from disband(situation)


def disband(situation: Situation) -> Procedure:
    """The casualties are known: units of a type merge, and the battle is at its end (IF-201)."""
    over = finished(situation.state)
    yield from merge(situation)
    if over is not None:
        yield BattleEnded(*over)


PROCEDURES = {
    "muster": muster,
    "initiative": initiative,
    "heroes": heroes,
    "orders": give_orders,
    "duels": duels,
    "alone": alone,
    "end": end,
    "disband": disband,
}
"""The acts of a round by name."""
