"""A scenario on the table: army lists checked, everything that does not add up named at once, events made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from engine.field.polygon import polygon
from engine.orders import write_order
from engine.rules.errors import ScenarioInvalid
from engine.rules.ice_and_fire.aftermath import rank_by_strength
from engine.rules.ice_and_fire.army_lists import (
    EnginePart,
    FieldPart,
    HeroPart,
    Lists,
    PostPart,
    UnitPart,
    fraction,
    read_lists,
)
from engine.rules.ice_and_fire.ground import footprint
from engine.rules.ice_and_fire.orders import Standing
from engine.rules.ice_and_fire.profiles import ABILITIES, GRADES, SPECIALTIES, Kit, hero_profile, kit_of, unit_profile
from engine.rules.ice_and_fire.tables import Tables
from engine.rules.ice_and_fire.ways import stand_on
from engine.rules.rule_set import Scenario
from engine.rules.words import hint
from events.facts import Event, Ordered
from events.ice_and_fire.heroes import HeroPlaced
from events.ice_and_fire.siege import EnginePlaced, FieldLaid, GateHung, GroundMarked, WallBuilt
from events.ice_and_fire.units import PostSet, UnitPlaced
from events.places import PlaceInvalid, Point

MAP_MM = 10
"""Map millimetres to the yard: a place in an order, typed in centimetres, so reads in yards (IF-003)."""
FORMATIONS = ("shield_wall", "wedge", "stakes")
STANDING = ("independent", "fight", "charge", "shoot", "hold", "stay", "withdraw", "scale", "break", "bombard")
STORES = ("boiling_water", "boiling_oil", "hot_sand", "no_stones")


def deploy(scenario: Scenario, tables: Tables) -> Sequence[Event]:
    """The events that put a scenario on the table. Raises ScenarioInvalid with every problem and its place."""
    problems: list[str] = []
    lists = read_lists(scenario, problems)
    problems += Checks(scenario, tables, lists).all()
    if problems:
        raise ScenarioInvalid(problems)
    return list(_events(scenario, tables, lists))


class Checks:
    """What has to hold between the parts of a scenario. Each method yields problems with their places."""

    def __init__(self, scenario: Scenario, tables: Tables, lists: Lists) -> None:
        self.seats = scenario.seats
        self.tables = tables
        self.lists = lists
        self.units = {unit.id: unit for unit in lists.unit}
        self.heroes = {hero.id: hero for hero in lists.hero}
        self.posts = {post.id: post for post in lists.post}

    def all(self) -> Iterator[str]:
        """Every problem."""
        lists = self.lists
        everything: list[Any] = [*lists.unit, *lists.hero, *lists.engine, *lists.wall, *lists.gate, *lists.ground]
        if min(lists.field.width, lists.field.height) < 1:
            yield f"[field]: {lists.field.width} by {lists.field.height} yards is no field"
        if lists.field.last_turn < 0:
            yield f"[field]: last_turn {lists.field.last_turn} is no round; 0 sets no end"
        for name, times in Counter(post.id for post in lists.post).items():
            if times > 1:
                yield f"the post {name!r} is given {times} times"
        for name in sorted({each.id for each in everything} & set(self.seats)):
            yield f"the id {name!r} is a seat's: give it another"
        for name, times in Counter(each.id for each in everything).items():
            if times > 1:
                yield f"the id {name!r} is given {times} times"
        for unit in lists.unit:
            yield from (f"[[unit]] {unit.id}: {problem}" for problem in self.unit(unit))
        for hero in lists.hero:
            yield from (f"[[hero]] {hero.id}: {problem}" for problem in self.hero(hero))
        yield from self.leaders()
        for post in lists.post:
            yield from (f"[[post]] {post.id}: {problem}" for problem in self.post(post))
        yield from self.commanders()
        for engine in lists.engine:
            yield from (f"[[engine]] {engine.id}: {problem}" for problem in self.engine(engine))
        yield from self.ground()

    def seat(self, seat: str) -> Iterator[str]:
        """Whether a seat is at the table."""
        if seat not in self.seats:
            yield f"there is no seat {seat!r}{hint(seat, self.seats)}"

    def unit(self, unit: UnitPart) -> Iterator[str]:
        """Type, strength, training, post, gear, place."""
        yield from self.seat(unit.seat)
        kind = self.tables.unit_types.get(unit.type)
        if kind is None:
            yield f"there is no unit type {unit.type!r}{hint(unit.type, self.tables.unit_types)}"
            yield from _unknown(unit.formation, FORMATIONS, "formation")
        else:
            most = establishment(self.tables, unit, mounted=kind.mount != "none")
            if unit.men > most:
                yield f"{unit.men} men are over the establishment of {most}"
            if unit.men == 0 or unit.men < -1:
                yield f"{unit.men} men: a unit has at least 1"
            if unit.upgraded and not kind.upgradable:
                yield f"{kind.name} have no better equipment"
            yield from self.formations(unit, mounted=kind.mount != "none", stakes=kind.stakes, shield=kind.shield)
        if fraction(unit.training) is None:
            yield f"training {unit.training!r} is no number of 0 or more, such as 3 or '9/5'"
        if unit.post and unit.post not in self.posts:
            yield f"there is no post {unit.post!r}{hint(unit.post, self.posts)}"
        elif unit.post and self.posts[unit.post].seat != unit.seat:
            yield f"the post {unit.post} is of the other side"
        yield from _unknown(unit.gear, self.tables.gear, "siege gear")
        if unit.standing and unit.standing not in STANDING:
            yield f"standing {unit.standing!r} is no standing order{hint(unit.standing, STANDING)}"
        built: list[Any] = [*self.lists.wall, *self.lists.gate, *self.lists.engine]
        marks = [*self.units, *(each.id for each in built)]
        if unit.standing_at and unit.standing_at not in marks:
            yield f"standing_at names {unit.standing_at!r}, which is nothing here{hint(unit.standing_at, marks)}"
        lines = [each.id for each in (*self.lists.wall, *(self.lists.gate if unit.standing == "break" else ()))]
        if unit.standing in ("scale", "break") and unit.standing_at not in lines:
            yield f"standing {unit.standing!r}: say with standing_at what to {unit.standing}"
        if unit.on_wall:
            walls = [wall.id for wall in self.lists.wall]
            yield from _unknown([unit.on_wall], walls, "wall")
        elif point(unit.at) is None or not self.inside(unit.at):
            yield f"at = {list(unit.at)} is not a place on the field, in yards"
        if not 0 <= unit.facing < 360:
            yield f"facing {unit.facing} is no bearing: give 0 to 359"

    def formations(self, unit: UnitPart, *, mounted: bool, stakes: bool, shield: str) -> Iterator[str]:
        """Formations before the battle (IF-122, IF-136, IF-150)."""
        yield from _unknown(unit.formation, FORMATIONS, "formation")
        if "wedge" in unit.formation and not mounted:
            yield "only mounted units form a wedge"
        if "shield_wall" in unit.formation and (mounted or shield == "none"):
            yield "only men on foot with shields form a shield wall"
        if "stakes" in unit.formation and not stakes:
            yield "it has no stakes"

    def hero(self, hero: HeroPart) -> Iterator[str]:
        """With whom he is, what he bears."""
        yield from self.seat(hero.seat)
        if hero.unit and hero.unit not in self.units:
            yield f"he is with {hero.unit!r}, which is no unit{hint(hero.unit, self.units)}"
        elif hero.unit and self.units[hero.unit].seat != hero.seat:
            yield f"he is with {hero.unit}, which is of the other side"
        elif not hero.unit and (point(hero.at) is None or not self.inside(hero.at)):
            yield "he is attached to nobody: name his unit, or a place with at = [x, y]"
        if hero.leader and not hero.unit:
            yield "he leads, but is with no unit"
        yield from _unknown(hero.weapons, self.tables.weapons, "weapon")
        yield from _unknown([hero.armour], self.tables.armour, "armour")
        yield from _unknown([hero.shield], self.tables.shields, "shield")
        yield from _unknown([hero.mount], self.tables.mounts, "mount")
        yield from _unknown(hero.grades, hero.weapons, "weapon of theirs")
        yield from _unknown(hero.grades.values(), GRADES, "grade")
        if not hero.weapons:
            yield "he has no weapon"
        yield from _unknown(hero.abilities, ABILITIES, "ability")
        bad = [name for name, rank in hero.abilities.items() if name in ABILITIES and rank < 1]
        yield from (f"{name} {hero.abilities[name]}: an ability is at least 1" for name in bad)
        taught = sorted({*SPECIALTIES, *(row.specialty for row in self.tables.weapons.values() if row.specialty)})
        yield from _unknown(hero.specialties, taught, "specialty")
        negative = [name for name, dice in hero.specialties.items() if dice < 0]
        yield from (f"{name} {hero.specialties[name]}: a specialty is 0 or more" for name in negative)

    def leaders(self) -> Iterator[str]:
        """One leader a unit (IF-049)."""
        for unit in self.units:
            names = sorted(hero.id for hero in self.heroes.values() if hero.unit == unit and hero.leader)
            if len(names) > 1:
                yield f"[[unit]] {unit}: it has {len(names)} leaders: {', '.join(names)}"

    def post(self, post: PostPart) -> Iterator[str]:
        """Holder and the post above; no rings (IF-010)."""
        yield from self.seat(post.seat)
        holder = self.heroes.get(post.holder)
        if holder is None:
            yield f"its holder {post.holder!r} is no hero{hint(post.holder, self.heroes)}"
        elif holder.seat != post.seat:
            yield f"its holder {post.holder} is of the other side"
        seen, here = [post.id], post.above
        while here:
            if here not in self.posts:
                yield f"there is no post {here!r} above it{hint(here, self.posts)}"
                return
            if here in seen:
                yield f"it stands above itself: {' > '.join([*seen, here])}"
                return
            seen.append(here)
            here = self.posts[here].above

    def commanders(self) -> Iterator[str]:
        """One overall commander a side (IF-010)."""
        for seat in self.seats:
            top = sorted(post.id for post in self.posts.values() if post.seat == seat and not post.above)
            if len(top) != 1:
                named = f" ({', '.join(top)})" if top else ""
                yield f"[[post]]: {seat} has {len(top)} overall commanders{named}; give 1"

    def engine(self, engine: EnginePart) -> Iterator[str]:
        """Kind and crew (IF-272, IF-280)."""
        yield from self.seat(engine.seat)
        kinds = [*self.tables.machines, "siege_tower", "capped_ram"]
        yield from _unknown([engine.engine], kinds, "engine")
        crew = self.units.get(engine.crew)
        if crew is None:
            yield f"its crew {engine.crew!r} is no unit{hint(engine.crew, self.units)}"
        elif crew.seat != engine.seat:
            yield f"its crew {engine.crew} is of the other side"
        elif engine.engine == "siege_tower" and self.is_mounted(crew):
            yield f"its crew {engine.crew} is mounted: only men on foot go in a tower"

    def is_mounted(self, unit: UnitPart) -> bool:
        """Whether a unit is of a mounted type."""
        kind = self.tables.unit_types.get(unit.type)
        return kind is not None and kind.mount != "none"

    def ground(self) -> Iterator[str]:
        """Terrain, walls, gates: labels and places."""
        for ground in self.lists.ground:
            where = f"[[ground]] {ground.id}"
            labels = [*self.tables.terrain, "ask"]
            yield from (f"{where}: {problem}" for problem in _unknown([ground.terrain], labels, "terrain"))
            if ground.terrain == "ask" and ground.otherwise not in self.tables.terrain:
                yield f"{where}: say with otherwise what it counts as if the referee is absent"
            corners = [point(corner) for corner in ground.corners]
            if None in corners:
                yield f"{where}: corners are pairs of yards"
                continue
            yield from _shape(where, [corner for corner in corners if corner is not None])
            row = self.tables.terrain.get(ground.terrain)
            if row is not None and row.higher_ground and not 0 <= ground.uphill < 360:
                yield f"{where}: a slope needs uphill, the bearing in which it rises"
        for wall in self.lists.wall:
            yield from self.line(f"[[wall]] {wall.id}", wall.wall, self.tables.walls, wall.start, wall.end, wall.seat)
            stores = _unknown([*wall.stores, *wall.unsaid], STORES, "store")
            yield from (f"[[wall]] {wall.id}: {problem}" for problem in stores)
        for gate in self.lists.gate:
            yield from self.line(f"[[gate]] {gate.id}", gate.gate, self.tables.gates, gate.start, gate.end, gate.seat)

    def line(self, where: str, kind: str, kinds: Mapping[str, Any], start: Any, end: Any, seat: str) -> Iterator[str]:
        """A wall or gate between two points."""
        yield from (f"{where}: {problem}" for problem in _unknown([kind], kinds, "kind"))
        if point(start) is None or point(end) is None or point(start) == point(end):
            yield f"{where}: start and end are two different places, in yards"
        if seat:
            yield from (f"{where}: {problem}" for problem in self.seat(seat))

    def inside(self, at: Any) -> bool:
        """Whether a place lies on the field."""
        found, size = point(at), self.lists.field
        return found is not None and 0 < found.x < size.width * MAP_MM and 0 < found.y < size.height * MAP_MM


def _unknown(names: Iterable[str], known: Iterable[str], what: str) -> Iterator[str]:
    right = list(known)
    yield from (f"there is no {what} {name!r}{hint(name, right)}" for name in names if name not in right)


def _shape(where: str, corners: Sequence[Point]) -> Iterator[str]:
    try:
        polygon(corners, where)
    except PlaceInvalid as error:
        yield str(error)


def point(yards: Any) -> Point | None:
    """A place in yards, to a tenth, as map millimetres: ten of them make a yard; None if it is none.

    >>> point((34, "x")), point((34, 12))
    (None, Point(x=340, y=120))
    """
    if len(yards) != 2:
        return None
    found = []
    for part in yards:
        if isinstance(part, bool) or not isinstance(part, int | Decimal):
            return None
        mm = Fraction(part) * MAP_MM
        if mm.denominator != 1:
            return None
        found.append(mm.numerator)
    return Point(*found)


def _at(yards: Any) -> Point:
    found = point(yards)
    assert found is not None
    return found


def establishment(tables: Tables, unit: UnitPart, *, mounted: bool) -> int:
    """The full strength of a unit or squad (IF-001, IF-002)."""
    if unit.squad:
        return tables.number("squad_riders" if mounted else "squad_men")
    return tables.number("riders" if mounted else "men")


def _events(scenario: Scenario, tables: Tables, lists: Lists) -> Iterator[Event]:
    mm = MAP_MM
    laid: FieldPart = lists.field
    yield FieldLaid(laid.width * mm, laid.height * mm, mm, laid.last_turn, laid.light, laid.weather)
    for ground in lists.ground:
        corners = tuple(_at(corner) for corner in ground.corners)
        name = ground.name or ground.id
        yield GroundMarked(ground.id, name, ground.terrain, corners, ground.uphill, ground.otherwise)
    for wall in lists.wall:
        yield WallBuilt(
            wall.id,
            wall.name or wall.id,
            wall.wall,
            _at(wall.start),
            _at(wall.end),
            tables.walls[wall.wall].break_tn,
            wall.seat,
            wall.earthworks,
            wall.battlements,
            tuple(wall.stores),
            tuple(wall.unsaid),
        )
    for gate in lists.gate:
        row = tables.gates[gate.gate]
        start, end = _at(gate.start), _at(gate.end)
        yield GateHung(gate.id, gate.name or gate.id, gate.gate, start, end, row.break_tn, row.doors, gate.seat)
    elite = scenario.options.get("elite", "rank") == "rank"
    placed = {unit.id: _unit(tables, lists, unit, elite) for unit in lists.unit}
    yield from placed.values()
    for hero in lists.hero:
        at = placed[hero.unit].at if hero.unit else _at(hero.at)
        kit = Kit(tuple(hero.weapons), hero.armour, hero.shield, hero.mount, grades=hero.grades)
        profile = hero_profile(tables, hero.abilities, hero.specialties, kit)
        name = hero.name or hero.id
        yield HeroPlaced(hero.id, name, hero.seat, profile, at, hero.unit, hero.leader, hero.notable)
    for post in lists.post:  # the chain of command, before the battle (IF-015)
        yield PostSet(post.id, post.name or post.id, post.seat, post.holder, post.above)
    for engine in lists.engine:
        thrower = tables.machines.get(engine.engine)
        row_ = thrower or tables.gear[engine.engine]
        at = placed[engine.crew].at
        name = engine.name or engine.id
        yield EnginePlaced(
            engine.id, name, engine.seat, engine.engine, engine.crew, at, row_.ar, row_.health, thrower is not None
        )
    for unit in lists.unit:
        if unit.standing:
            order = Standing(unit.id, unit.standing, unit.standing_at or None)  # type: ignore[arg-type]
            yield Ordered(unit.seat, unit.id, "standing", write_order(order))


def _unit(tables: Tables, lists: Lists, unit: UnitPart, elite: bool) -> UnitPlaced:
    """A unit with all that follows from its type, training and strength (IF-061 to IF-073, IF-199, IF-200)."""
    kind = tables.unit_types[unit.type]
    kit = kit_of(kind, unit.upgraded)
    mounted = kit.mount != "none"
    most = establishment(tables, unit, mounted=mounted)
    men = most if unit.men < 0 else unit.men
    training = fraction(unit.training) or Fraction(0)
    pair = (training.numerator, training.denominator)
    rank, shaken = rank_by_strength(tables, pair, men, most)
    profile = unit_profile(tables, kind, unit.upgraded, tables.ranks[rank], pair, elite)
    mm, small = MAP_MM, "squad_" if unit.squad else ""
    front, depth = tables.number(f"{small}front_yd") * mm, tables.number(f"{small}depth_yd") * mm
    facing = unit.facing
    if unit.on_wall:
        wall = next(wall for wall in lists.wall if wall.id == unit.on_wall)
        start, end = _at(wall.start), _at(wall.end)
        near = point(unit.at) or Point((start.x + end.x) // 2, (start.y + end.y) // 2)
        at, facing = stand_on(near, front, depth, start, end)
    else:
        at = _at(unit.at)
    planted = "stakes" in unit.formation
    return UnitPlaced(
        id=unit.id,
        name=unit.name or unit.id,
        seat=unit.seat,
        unit_type=unit.type,
        rank=rank,
        training=pair,
        men=men,
        establishment=most,
        post=unit.post,
        profile=profile,
        at=at,
        facing=facing,
        front=front,
        depth=depth,
        upgraded=unit.upgraded,
        mounted=mounted,
        condition="disorganized" if shaken else "organized",
        gear=tuple(unit.gear),
        stances=tuple(sorted(each for each in unit.formation if each != "stakes")),
        stakes="planted" if planted else "carried" if kind.stakes else "none",
        stakes_area=footprint(at, front, depth, facing).advanced(depth).corners() if planted else (),
        on_wall=unit.on_wall,
        owner=unit.owner,
    )
