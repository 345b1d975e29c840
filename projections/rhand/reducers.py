"""What each fact of Rhand does to the state. Pure: no rules and no tables are needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict, replace

from events import rhand as facts
from events.facts import Event
from projections.battle_state import Reducer
from projections.rhand.state import Fighter, Rhand, Spell

_WOUNDED = ("took_physical_damage_this_phase", "took_physical_damage_during_preparation")


def _change(state: Rhand, who: str, **changes: Any) -> Rhand:
    return replace(state, fighters={**state.fighters, who: replace(state.fighters[who], **changes)})


def _disturbed(state: Rhand, who: str, *events: str) -> dict[str, int]:
    return {**state.fighters[who].happened, **dict.fromkeys(events, state.phase)}


def _laid(state: Rhand, event: facts.FieldLaid) -> Rhand:
    return replace(
        state, columns=event.columns, rows=event.rows, closed=event.closed, last_phase=event.last_phase, aid=event.aid
    )


def _spell(state: Rhand, event: facts.SpellListed) -> Rhand:
    limits = (event.max_targets, event.max_range, event.max_casts)
    return replace(state, spells={**state.spells, event.spell: Spell(event.force, event.effect, event.amount, *limits)})


def _placed(state: Rhand, event: facts.FighterPlaced) -> Rhand:
    given = asdict(event)
    name, cover = given.pop("fighter"), given.pop("cover")
    return replace(
        state, fighters={**state.fighters, name: Fighter(id=name, came_from=event.at, covered_by=cover, **given)}
    )


def _step(state: Rhand, event: facts.StepBegan) -> Rhand:
    if event.step != "movement":
        return replace(state, step=event.step)
    fighters = {
        name: replace(each, last_pace=each.pace, pace="0", fast=False, came_from=each.at)
        for name, each in state.fighters.items()
    }
    return replace(state, step=event.step, fighters=fighters)


def _released(state: Rhand, event: facts.Released) -> Rhand:
    fighter = state.fighters[event.fighter]
    shots, cast = fighter.ammunition, fighter.spells_cast
    if event.what == "missile":
        shots -= 1
    else:
        cast = {**cast, event.name: cast.get(event.name, 0) + 1}
    return _change(
        state, event.fighter, released=state.phase, released_hands=event.hands, ready=event.ready, ammunition=shots,
        preparing="", spells_cast=cast,
    )  # fmt: skip


def _spell_took(state: Rhand, event: facts.SpellTook) -> Rhand:
    who = event.fighter
    match event.effect:
        case "down":
            return _change(state, who, down=True, happened=_disturbed(state, who, "knocked_out_or_dazed"))
        case "pd":
            total = state.fighters[who].total + event.amount
            return _change(state, who, total=total, happened=_disturbed(state, who, *_WOUNDED))
        case "moved" if event.to is not None:
            moved = _disturbed(state, who, "affected_by_hostile_spell_not_disabling")
            return _change(state, who, at=event.to, happened=moved, covered_by="")
        case "distracted":
            return _change(state, who, happened=_disturbed(state, who, "affected_by_hostile_spell_not_disabling"))
    return state


def _preparing(state: Rhand, event: facts.Preparing) -> Rhand:
    return _change(
        state, event.fighter, preparing=event.spell, prepared_from=state.phase, prepared_at=event.ready,
        released=state.phase, released_hands=1,
    )  # fmt: skip


def _moved(state: Rhand, event: facts.Moved) -> Rhand:
    happened, cover = state.fighters[event.fighter].happened, state.fighters[event.fighter].covered_by
    if event.fast:
        happened = _disturbed(state, event.fighter, "moved_faster_than_combat_speed")
    return _change(
        state, event.fighter, at=event.path[-1], facing=event.facing, pace=event.pace, fast=event.fast,
        happened=happened, covered_by=cover if event.path[-1] == state.fighters[event.fighter].at else "",
    )  # fmt: skip


def _counted(state: Rhand, event: facts.ActionsCounted) -> Rhand:
    fighters = dict(state.fighters)
    for each in event.counts:
        fighters[each.fighter] = replace(
            fighters[each.fighter], weapon_actions=each.weapon, shield_actions=each.shield, combat_actions=each.combat
        )
    return replace(state, fighters=fighters)


def _control(state: Rhand, event: facts.ControlLost) -> Rhand:
    return _change(state, event.fighter, happened=_disturbed(state, event.fighter, "mount_out_of_control"))


def _unhorsed(state: Rhand, event: facts.Unhorsed) -> Rhand:
    return _change(state, event.fighter, rides="", combat_speed=event.combat_speed)


def _spent(state: Rhand, event: facts.ActionsSpent) -> Rhand:
    happened = state.fighters[event.fighter].happened
    if event.parries or event.dodged:
        happened = _disturbed(state, event.fighter, "parried_or_dodged_this_phase")
    fighter = state.fighters[event.fighter]
    return _change(
        state, event.fighter, saved=event.saved, dodging=event.dodged, happened=happened,
        weapon_actions=max(0, fighter.weapon_actions - event.weapon),
        shield_actions=max(0, fighter.shield_actions - event.shield),
        combat_actions=max(0, fighter.combat_actions - event.combat),
    )  # fmt: skip


def _kept(state: Rhand, event: facts.ActionsKept) -> Rhand:
    fighters = dict(state.fighters)
    for name, saved in event.saved.items():
        fighters[name] = replace(fighters[name], saved=saved, dodging=False)
    return replace(state, fighters=fighters)


def _blow(state: Rhand, event: facts.BlowJudged) -> Rhand:
    aimed = _disturbed(state, event.target, "blow_aimed_at_him_inside_weapon_range")
    return _change(state, event.target, happened=aimed)


def _struck(state: Rhand, event: facts.Struck) -> Rhand:
    if event.damage == 0:
        return state
    return _change(state, event.fighter, total=event.total, happened=_disturbed(state, event.fighter, *_WOUNDED))


def _disabled(state: Rhand, event: facts.LimbDisabled) -> Rhand:
    fighter = state.fighters[event.fighter]
    if event.limb in fighter.disabled:
        return state
    return _change(state, event.fighter, disabled=(*fighter.disabled, event.limb))


def _knocked_out(state: Rhand, event: facts.KnockedOut) -> Rhand:
    happened = _disturbed(state, event.fighter, "knocked_out_or_dazed")
    return _change(state, event.fighter, down=True, dodging=False, happened=happened)


def _arm(state: Rhand, event: facts.ArmRuled) -> Rhand:
    if event.keeps == "shield":
        return _change(state, event.fighter, strapped=True)
    return _change(state, event.fighter, kicks=True, kick_as_weapon=event.as_weapon)


def _hand(state: Rhand, event: facts.HandChanged) -> Rhand:
    """The shield leaves the arm that takes the weapon, and is carried."""
    fighter = state.fighters[event.fighter]
    carries = (*fighter.carries, fighter.shield) if fighter.shield else fighter.carries
    return _change(state, event.fighter, weapon_arm=event.arm, shield="", carries=carries, strapped=False)


def _readying(state: Rhand, event: facts.Readying) -> Rhand:
    return _change(state, event.fighter, taking_up=(event.what, event.name, event.done))


def _readied(state: Rhand, event: facts.Readied) -> Rhand:
    fighter = state.fighters[event.fighter]
    carries = fighter.carries if event.carries is None else event.carries
    if event.what == "shield":
        return _change(state, event.fighter, shield=event.name, carries=carries, taking_up=None)
    put_away = event.carries is not None and event.hands > 1
    return _change(
        state, event.fighter, weapon=event.name, hands=event.hands, carries=carries, taking_up=None,
        shield="" if put_away else fighter.shield,
    )  # fmt: skip


def _distracted(state: Rhand, event: facts.Distracted) -> Rhand:
    return _change(state, event.fighter, preparing="", happened=_disturbed(state, event.fighter, event.event))


def _nothing(state: Rhand, event: Event) -> Rhand:
    return state


REDUCERS: Mapping[type[Event], Reducer] = {
    facts.FieldLaid: _laid,
    facts.SpellListed: _spell,
    facts.FighterPlaced: _placed,
    facts.StepBegan: _step,
    facts.ReleaseOrdered: _nothing,
    facts.Released: _released,
    facts.SpellTook: _spell_took,
    facts.Preparing: _preparing,
    facts.ShotJudged: _nothing,
    facts.ShotStopped: _nothing,
    facts.Moved: _moved,
    facts.Halted: _nothing,
    facts.CoverTaken: lambda state, event: _change(state, event.fighter, covered_by=event.cover),
    facts.ActionsCounted: _counted,
    facts.ControlLost: _control,
    facts.Unhorsed: _unhorsed,
    facts.ActionsSpent: _spent,
    facts.ActionsKept: _kept,
    facts.ParryTyped: _nothing,
    facts.BlowJudged: _blow,
    facts.CutThrough: _nothing,
    facts.Glanced: _nothing,
    facts.Struck: _struck,
    facts.LimbDisabled: _disabled,
    facts.KnockedOut: _knocked_out,
    facts.ArmRuled: _arm,
    facts.HandChanged: _hand,
    facts.Readying: _readying,
    facts.Readied: _readied,
    facts.Distracted: _distracted,
    facts.Roused: lambda state, event: _change(state, event.fighter, down=False),
    facts.Yielded: lambda state, event: _change(state, event.fighter, yielded=True),
    facts.Recovered: lambda state, event: _change(state, event.fighter, died=not event.survived),
}
"""What each fact does."""
