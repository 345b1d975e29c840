"""What each fact of Dresda does to the state. Pure; no rules, no tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from events import dresda as facts
from events.facts import Event, TurnBegan
from projections.battle_state import COMMON_REDUCERS, Reducer
from projections.dresda import things
from projections.dresda.changes import laid_down, slung, with_figure, without
from projections.dresda.state import Battlefield, Figure, LooseMount

LEADER, WOUNDED, FIRED_AT, PUSHED = "leader dead", "wounded", "first fired at", "pushed back"
TRIGGERS = (LEADER, WOUNDED, FIRED_AT, PUSHED)
"""What calls for a morale test at the end of the turn, in the order in which the tests are rolled (DR-110)."""

_NO_MOUNT: Mapping[str, Any] = {"mounted": False, "mount": "", "mount_place": None}


def _triggered(figure: Figure, trigger: str) -> tuple[str, ...]:
    """The figure's triggers with one more, each once, in the fixed order (DR-113)."""
    return tuple(each for each in TRIGGERS if each == trigger or each in figure.triggers)


# ---------------------------------------------------------------------------------------------------- setting up


def _field(state: Battlefield, event: facts.FieldLaid) -> Battlefield:
    return replace(state, width=event.width, depth=event.depth, turn_limit=event.turn_limit, sky_every=event.sky_every)


def _area(state: Battlefield, event: facts.AreaLaid) -> Battlefield:
    return replace(state, areas=(*state.areas, event.area))


def _barrier(state: Battlefield, event: facts.BarrierLaid) -> Battlefield:
    return replace(state, barriers=(*state.barriers, event.barrier))


def _fire(state: Battlefield, event: facts.FireLit) -> Battlefield:
    return replace(state, fires=(*state.fires, event.fire))


def _side(state: Battlefield, event: facts.SideSet) -> Battlefield:
    return replace(state, edges={**state.edges, event.seat: event.edge})


def _figure(state: Battlefield, event: facts.FigureSet) -> Battlefield:
    figure = Figure(
        event.who,
        event.place,
        event.facing,
        event.arms,
        event.in_hand,
        event.off_hand,
        event.wounds,
        mount=event.mount,
        mounted=bool(event.mount),
        mount_fights=event.mount_fights,
        torch=event.torch,
        gait_before=event.gait,
        rode_before=bool(event.mount),
        owned_mount=event.mount,
    )
    figures = {**state.figures, event.who.id: replace(figure, slung=figure.slings_now)}
    weapons = {*state.weapons, *(arm.name for arm in event.arms)}
    return replace(state, figures=figures, weapons=tuple(sorted(weapons)))


def _sky(state: Battlefield, event: facts.SkyChanged) -> Battlefield:
    return replace(state, weather=event.weather, light=event.light)


# ---------------------------------------------------------------------------------------------------- the turn


def _turn(state: Battlefield, event: TurnBegan) -> Battlefield:
    begun: Battlefield = COMMON_REDUCERS[TurnBegan](state, event)
    first = event.turn == 1
    figures = {name: figure if first else _next_turn(figure, event.turn) for name, figure in begun.figures.items()}
    return replace(begun, figures=figures, phase="declare", engaged_before=begun.engaged)


def _next_turn(figure: Figure, turn: int) -> Figure:
    """What is of this turn becomes what was of the turn before."""
    over = figure.mood and figure.mood_until and figure.mood_until < turn
    return replace(
        figure,
        gait="stand",
        gait_before=figure.gait,
        rode=False,
        rode_before=figure.rode,
        short_move=False,
        short_before=figure.short_move,
        halves=0,
        rose=False,
        slung=figure.slings_now,
        fired=False,
        triggers=(),
        won=False,
        in_rear=False,
        pushed=False,
        pushed_before=figure.pushed,
        charge="",
        charge_at=None,
        charge_met=False,
        charged_by=(),
        choice="",
        **({"mood": "", "mood_name": "", "mood_since": 0, "mood_until": 0, "routs": False} if over else {}),
    )


_BEFORE_MELEE = ("declare", "aimed", "move", "missile")


def _phase(state: Battlefield, event: facts.PhaseReached) -> Battlefield:
    held = state.held if event.phase in _BEFORE_MELEE else ()
    return replace(state, phase=event.phase, held=held)


# ---------------------------------------------------------------------------------------------------- declarations


def _charge(state: Battlefield, event: facts.ChargeDeclared) -> Battlefield:
    state = with_figure(state, event.figure, charge=event.target, charge_at=event.aimed_at)
    chargers = {*state.figures[event.target].charged_by, event.figure}
    return with_figure(state, event.target, charged_by=tuple(sorted(chargers)))


def _aim(state: Battlefield, event: facts.AimBegun) -> Battlefield:
    halves = state.figures[event.figure].halves + event.halves
    return with_figure(
        state,
        event.figure,
        aim_weapon=event.weapon,
        aim_target=event.target,
        aim_turn=state.turn,
        aim_spoilt=False,
        halves=halves,
        slung=True,
    )


def _aim_lost(state: Battlefield, event: facts.AimLost) -> Battlefield:
    return with_figure(state, event.figure, aim_weapon="", aim_target="", aim_turn=0, aim_spoilt=False)


def _choice(state: Battlefield, event: facts.FightChosen) -> Battlefield:
    return with_figure(state, event.figure, choice=event.choice)


# ---------------------------------------------------------------------------------------------------- moving and doing


def _moved(state: Battlefield, event: facts.Moved) -> Battlefield:
    figure, halves = state.figures[event.figure], event.halves
    if not event.path:
        moved = replace(figure, facing=event.facing, halves=figure.halves + halves)
        return replace(state, figures={**state.figures, event.figure: moved})
    moved = replace(
        figure,
        place=event.path[-1],
        facing=event.facing,
        gait=event.gait,
        rode=figure.mounted,
        short_move=event.short,
        halves=figure.halves + halves,
        busy="",
        busy_halves=0,
    )
    state = replace(state, figures={**state.figures, event.figure: moved})
    return _carried(state, event.figure) if figure.carrying else state


def _carried(state: Battlefield, figure: str) -> Battlefield:
    """What a figure carries goes where it goes."""
    bearer = state.figures[figure]
    if bearer.carrying in state.figures:
        return with_figure(state, bearer.carrying, place=bearer.place)
    thing = state.things.get(bearer.carrying)
    if thing is None:
        return state
    return replace(state, things={**state.things, thing.id: replace(thing, place=bearer.place)})


def _action(state: Battlefield, event: facts.ActionTaken) -> Battlefield:
    figure = state.figures[event.figure]
    changes: dict[str, Any] = {"halves": figure.halves + event.halves, "busy": "", "busy_halves": 0}
    if event.left:
        changes.update(busy=event.action, busy_halves=event.left)
    for name in ("in_hand", "prone", "shield_away", "torch", "mounted"):
        value = getattr(event, name)
        if value is not None:
            changes[name] = value
    if event.prone is False and figure.prone:
        changes["rose"] = True
    if event.mounted is not None:
        changes["mount_place"] = None if event.mounted else figure.place
    if event.loaded:
        changes["unloaded"] = tuple(weapon for weapon in figure.unloaded if weapon != event.loaded)
    state = with_figure(state, event.figure, **changes)
    return with_figure(state, event.figure, slung=slung(state.figures[event.figure]))


def _charge_ended(state: Battlefield, event: facts.ChargeEnded) -> Battlefield:
    state = with_figure(state, event.figure, charge_met=event.contact, charge=event.target if event.bore else "")
    if event.bore:
        return state
    others = tuple(each for each in state.figures[event.target].charged_by if each != event.figure)
    return with_figure(state, event.target, charged_by=others)


def _left(state: Battlefield, event: facts.LeftField) -> Battlefield:
    state = laid_down(state, event.figure)
    gone = "routed" if event.routed else "left"
    return with_figure(state, event.figure, gone=gone, carrying="", burden="", heavy=False)


def _engaged(state: Battlefield, event: facts.EngagementsSet) -> Battlefield:
    return replace(state, engaged=event.pairs)


# ---------------------------------------------------------------------------------------------------- shooting


def _shot(state: Battlefield, event: facts.ShotFired) -> Battlefield:
    """A shot, hit or miss, is the first at its target only once a battle, and only an enemy's (DR-112, DA-22a)."""
    firer, target = state.figures[event.figure], state.figures[event.target]
    arm = firer.arm_named(event.weapon)
    changes: dict[str, Any] = {"fired": True, "slung": True, "halves": firer.halves + event.halves}
    if event.aimed:
        changes.update(aim_weapon="", aim_target="", aim_turn=0, aim_spoilt=False)
    if event.unloads:
        changes["unloaded"] = (*firer.unloaded, event.weapon)
    if event.thrown and arm is not None:
        rest = without(firer.arms, arm)
        still = firer.in_hand if any(each.name == firer.in_hand for each in rest) else ""
        changes.update(arms=rest, in_hand=still)
        if event.hit:
            state = with_figure(state, event.target, stuck=(*target.stuck, arm))
    state = with_figure(state, event.figure, **changes)
    if target.who.seat == firer.who.seat or target.fired_at:
        return state
    return with_figure(state, event.target, fired_at=True, triggers=_triggered(target, FIRED_AT))


def _held(state: Battlefield, event: facts.HurtHeld) -> Battlefield:
    return replace(state, held=(*state.held, event.hurt))


def _wounded(state: Battlefield, event: facts.Wounded) -> Battlefield:
    figure = state.figures[event.figure]
    held = tuple(hurt for hurt in state.held if not event.key or hurt.key != event.key)
    state = replace(state, held=held)
    spoilt = bool(figure.aim_turn) or figure.aim_spoilt
    wounds = figure.wounds + event.wounds
    state = with_figure(state, event.figure, wounds=wounds, triggers=_triggered(figure, WOUNDED), aim_spoilt=spoilt)
    return _died(state, event.figure) if event.dead else state


def _died(state: Battlefield, figure: str) -> Battlefield:
    """A figure is dead; those whom it led must test (DR-110)."""
    state = _let_loose(laid_down(state, figure), figure)
    state = with_figure(state, figure, gone="dead", carrying="", burden="", heavy=False, **_NO_MOUNT)
    return _leaderless(state, figure)


def _let_loose(state: Battlefield, figure: str) -> Battlefield:
    """The mount of one who dies stands where it was, for anybody to take."""
    rider = state.figures[figure]
    place = rider.place if rider.mounted else rider.mount_place
    if not rider.mount or place is None:
        return state
    return replace(state, loose={**state.loose, figure: LooseMount(rider.mount, rider.mount_fights, place)})


def _mount_taken(state: Battlefield, event: facts.MountTaken) -> Battlefield:
    taken = state.loose[event.of]
    loose = {name: mount for name, mount in state.loose.items() if name != event.of}
    return with_figure(
        replace(state, loose=loose),
        event.figure,
        mount=taken.mount,
        mount_fights=taken.fights,
        mounted=True,
        mount_place=None,
    )


def _leaderless(state: Battlefield, leader: str) -> Battlefield:
    for name, each in sorted(state.figures.items()):
        if each.who.leader == leader and not each.gone:
            state = with_figure(state, name, triggers=_triggered(each, LEADER))
    return state


def _mount_lost(state: Battlefield, event: facts.MountLost) -> Battlefield:
    """The mount is gone from the field, and its rider stands on its spot (DA-18)."""
    held = tuple(hurt for hurt in state.held if not event.key or hurt.key != event.key)
    return with_figure(replace(state, held=held), event.figure, **_NO_MOUNT)


def _thrown(state: Battlefield, event: facts.RiderThrown) -> Battlefield:
    figure = state.figures[event.figure]
    lost = max(figure.lost_until, event.lost_until)
    state = with_figure(state, event.figure, prone=event.prone or figure.prone, lost_until=lost)
    return _died(state, event.figure) if event.dead and not figure.gone else state


# ---------------------------------------------------------------------------------------------------- hand-to-hand


def _fought(state: Battlefield, event: facts.Fought) -> Battlefield:
    one, other = state.figures[event.one], state.figures[event.other]
    one_won = bool(event.loser) and event.loser != event.one and not event.mount
    other_won = bool(event.loser) and event.loser != event.other
    state = with_figure(state, event.one, won=one.won or one_won, in_rear=one.in_rear or event.one_in_rear)
    return with_figure(state, event.other, won=other.won or other_won, in_rear=other.in_rear or event.other_in_rear)


def _pushed(state: Battlefield, event: facts.PushedBack) -> Battlefield:
    figure = state.figures[event.figure]
    state = with_figure(state, event.figure, place=event.to, pushed=True, triggers=_triggered(figure, PUSHED))
    return _carried(state, event.figure)


def _down(state: Battlefield, event: facts.KnockedDown) -> Battlefield:
    figure = state.figures[event.figure]
    place = figure.place if figure.mounted else figure.mount_place
    return with_figure(state, event.figure, prone=True, mounted=False, mount_place=place)


# ---------------------------------------------------------------------------------------------------- morale, rulings


def _mood(state: Battlefield, event: facts.MoodSet) -> Battlefield:
    figure = state.figures[event.figure]
    return with_figure(
        state,
        event.figure,
        mood=event.letter,
        mood_name=event.result if event.letter else "",
        mood_since=event.since,
        mood_until=event.until,
        routs=event.routs,
        has_routed=figure.has_routed or event.routs,
    )


def _mount_judged(state: Battlefield, event: facts.MountJudged) -> Battlefield:
    return with_figure(state, event.figure, mount_fights="yes" if event.fights else "no")


def _edge_judged(state: Battlefield, event: facts.EdgeJudged) -> Battlefield:
    return with_figure(state, event.figure, edge=event.edge)


def _leader_judged(state: Battlefield, event: facts.LeaderJudged) -> Battlefield:
    state = with_figure(state, event.figure, counts_dead=event.dead)
    return _leaderless(state, event.figure) if event.dead else state


def _deserted(state: Battlefield, event: facts.DesertionRolled) -> Battlefield:
    return with_figure(state, event.figure, lost_for_good=event.lost)


def _career(state: Battlefield, event: facts.CareerCounted) -> Battlefield:
    figure = state.figures[event.figure]
    who = replace(figure.who, battles=event.battles, status=event.status, record=figure.who.record + event.mark)
    return with_figure(state, event.figure, who=who, mark=event.mark)


def _nothing(state: Battlefield, event: Event) -> Battlefield:
    return state


REDUCERS: Mapping[type[Event], Reducer] = {
    TurnBegan: _turn,
    facts.FieldLaid: _field,
    facts.AreaLaid: _area,
    facts.BarrierLaid: _barrier,
    facts.FireLit: _fire,
    facts.ThingPlaced: things.placed,
    facts.SideSet: _side,
    facts.FigureSet: _figure,
    facts.SkyChanged: _sky,
    facts.PhaseReached: _phase,
    facts.ChargeDeclared: _charge,
    facts.AimBegun: _aim,
    facts.AimLost: _aim_lost,
    facts.ChoiceDue: _nothing,
    facts.FightChosen: _choice,
    facts.Moved: _moved,
    facts.ActionTaken: _action,
    facts.ThingWeighed: things.weighed,
    facts.ThingTaken: things.taken,
    facts.ThingDropped: things.dropped,
    facts.ArmPicked: things.picked,
    facts.DoorChanged: things.door,
    facts.WeaponPassed: things.passed,
    facts.ChargeEnded: _charge_ended,
    facts.LeftField: _left,
    facts.EngagementsSet: _engaged,
    facts.ShotFired: _shot,
    facts.ShotStrayed: _nothing,
    facts.HurtHeld: _held,
    facts.Wounded: _wounded,
    facts.MountLost: _mount_lost,
    facts.MountTaken: _mount_taken,
    facts.RiderThrown: _thrown,
    facts.Fought: _fought,
    facts.PushIgnored: _nothing,
    facts.PushedBack: _pushed,
    facts.KnockedDown: _down,
    facts.MoraleTested: _nothing,
    facts.MoodSet: _mood,
    facts.MountJudged: _mount_judged,
    facts.EdgeJudged: _edge_judged,
    facts.LeaderJudged: _leader_judged,
    facts.DesertionRolled: _deserted,
    facts.CareerCounted: _career,
}
"""What each fact does. The common ones that are not here do what they always do."""
