"""The facts of Rhand in words, one line each. A blow tells the table, row and column that decided it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from events import rhand as facts
from events.facts import ActOpened, Event, SecretRevealed, TurnBegan
from events.places import Hex, digits_of
from projections.fold import Caption
from projections.rhand.state import Rhand

STEPS: Mapping[str, str] = {
    "release": "magic and archery",
    "movement": "movement",
    "declare": "blows and parries",
}
"""The steps of a phase as they are told (SP-001)."""

FACINGS = ("north", "north_east", "south_east", "south", "south_west", "north_west")


def words(name: str) -> str:
    """Write an id for people."""
    return name.replace("_", " ")


def name_of(state: Rhand, fighter: str) -> str:
    """The name of a fighter."""
    known = state.fighters.get(fighter)
    return known.name if known is not None else fighter


def _act(event: ActOpened, before: Rhand) -> str:
    act = event.name.rpartition("/")[2]
    named = {"release": STEPS["release"], "movement": STEPS["movement"], "blows": STEPS["declare"], "end": "its end"}
    return f"— phase {before.phase}, {named.get(act, act)} ({event.name}) —"


def _step(event: facts.StepBegan, before: Rhand) -> str:
    return f"phase {max(1, before.phase)}, {STEPS[event.step]}: orders, please"


def _laid(event: facts.FieldLaid, before: Rhand) -> str:
    end = f"; phase {event.last_phase} is the last" if event.last_phase else ""
    return f"a field of {event.columns} by {event.rows} hexes{end}"


def _spell(event: facts.SpellListed, before: Rhand) -> str:
    limits = [
        f"at most {number} {what}"
        for number, what in (
            (event.max_targets, "targets"), (event.max_range, "hexes"), (event.max_casts, "times for each mage")
        )
        if number
    ]  # fmt: skip
    does = _effect(event.effect, event.amount, None)
    return ", ".join([f"the spell {words(event.spell)}: force {event.force}", does, *limits])


def _effect(effect: str, amount: int, to: Hex | None) -> str:
    match effect:
        case "down":
            return "puts down"
        case "pd":
            return f"{amount} Physical Damage"
        case "moved":
            return f"moved to {digits_of(to)}" if to is not None else "moves"
        case "distracted":
            return "distracts"
    return "does nothing"


def _placed(event: facts.FighterPlaced, before: Rhand) -> str:
    arms = [words(each) for each in (event.weapon, event.shield, event.missile) if each]
    return (
        f"{event.name} ({event.seat}) stands in {digits_of(event.at)} facing {words(FACINGS[event.facing])} with "
        f"{', '.join(arms) or 'bare hands'} in {words(event.armor)} ({event.armor_class}); skill {event.skill}, "
        f"Agility {event.agility}, Knockout Value {event.knockout_value}"
    )


def _ordered(event: facts.ReleaseOrdered, before: Rhand) -> str:
    told = [" and ".join(f"{name_of(before, each.fighter)} {each.total}" for each in group) for group in event.groups]
    totals = [each.total for group in event.groups for each in group]
    tied = "; ties by Agility, SA-01" if len(set(totals)) < len(totals) and event.rule != "SA-01" else ""
    return f"order of release: {', then '.join(told)} ({event.rule}{tied})"


def _released(event: facts.Released, before: Rhand) -> str:
    at = f" at {', '.join(name_of(before, each) for each in event.targets)}" if event.targets else ""
    does = "casts" if event.what == "spell" else "looses with"
    return f"{name_of(before, event.fighter)} {does} {words(event.name)}{at}"


def _took(event: facts.SpellTook, before: Rhand) -> str:
    who, by = name_of(before, event.fighter), name_of(before, event.by)
    match event.effect:
        case "down":
            done = "is down"
        case "pd":
            done = f"takes {event.amount} Physical Damage, {before.fighters[event.fighter].total + event.amount} in all"
        case "moved":
            done = f"is moved to {digits_of(event.to)}" if event.to is not None else "is moved"
        case "distracted":
            done = "is distracted"
        case _:
            done = "is unharmed"
    source = f" by {words(event.spell)} of {by}" if event.spell else ""
    return f"{who} {done}{source} ({event.rule})"


def _shot(event: facts.ShotJudged, before: Rhand) -> str:
    result = "hits" if event.hit else "misses"
    return (
        f"{name_of(before, event.fighter)}'s {words(event.weapon)} {result} {name_of(before, event.target)} "
        f"[table 3E, accuracy {event.level}: {event.odds} %]"
    )


def _moved(event: facts.Moved, before: Rhand) -> str:
    name = name_of(before, event.fighter)
    facing = words(FACINGS[event.facing])
    if len(event.path) == 1:
        return f"{name} turns {facing}"
    how = "runs" if event.fast else "moves"
    return f"{name} {how} {' '.join(map(digits_of, event.path))}, facing {facing}, at {event.pace} times Combat Speed"


def _counted(event: facts.ActionsCounted, before: Rhand) -> str:
    told = [
        f"{name_of(before, each.fighter)} {each.weapon}+{each.shield}"
        + (f" ({each.combat} unarmed)" * bool(each.combat))
        for each in event.counts
    ]
    return f"Weapon and Shield Actions: {', '.join(told)}"


def _spent(event: facts.ActionsSpent, before: Rhand) -> str:
    name = name_of(before, event.fighter)
    if event.dodged:
        return f"{name} dodges, the whole phase"
    saved = f"; {event.saved} saved" if event.saved else ""
    blows = f"{event.blows} blow{'s' * (event.blows != 1)}"
    return f"{name}: {blows} and {event.parries} parr{'y' if event.parries == 1 else 'ies'}{saved}"


def _typed(event: facts.ParryTyped, before: Rhand) -> str:
    unseen = f" and {event.unseen} unseen" if event.unseen else ""
    return (
        f"{name_of(before, event.fighter)} parries {event.parries} against {event.blows} "
        f"blow{'s' * (event.blows != 1)}{unseen}: table {event.table} ({event.rule})"
    )


def _blow(event: facts.BlowJudged, before: Rhand) -> str:
    who, whom = name_of(before, event.fighter), name_of(before, event.target)
    with_ = f" with {words(event.weapon)}" if event.weapon else ""
    return (
        f"{who} {'hits' if event.hit else 'misses'} {whom} ({event.stroke} {words(event.blow)}{with_}) "
        f"[table {event.table}, row {event.attack_level}, column {event.skill}: {event.odds}]"
    )


def _through(event: facts.CutThrough, before: Rhand) -> str:
    return (
        f"the blow strikes {name_of(before, event.target)}'s {words(event.by)}, which stops {event.stopped}; "
        f"{event.left} go on"
    )


def _glanced(event: facts.Glanced, before: Rhand) -> str:
    return f"it glances [table 3F, row {event.row}, column {event.column}]: {event.left} of the impact is left"


def _struck(event: facts.Struck, before: Rhand) -> str:
    who, where = name_of(before, event.fighter), words(event.location)
    cell = f"[table {event.table}, {where}, row {event.row}, column {event.column}]"
    if event.damage == 0:
        return f"{who} is struck on the {where} by {event.impact} impact and not hurt {cell}"
    return f"{who} is struck on the {where} by {event.impact} impact: {event.damage} PD {cell}, {event.total} in all"


def _disabled(event: facts.LimbDisabled, before: Rhand) -> str:
    by = f" by {event.damage} PD" if event.damage else ""
    return f"{name_of(before, event.fighter)}'s {words(event.limb)} is disabled{by} ({event.rule})"


def _down(event: facts.KnockedOut, before: Rhand) -> str:
    chance = f": {event.chance} % at {event.total} PD" if event.key else ""
    return f"{name_of(before, event.fighter)} is down{chance} ({event.rule})"


def _readying(event: facts.Readying, before: Rhand) -> str:
    until = "this phase" if event.done <= before.phase else f"until the end of phase {event.done}"
    return f"{name_of(before, event.fighter)} takes up {words(event.name)}: {until} ({event.rule})"


def _recovered(event: facts.Recovered, before: Rhand) -> str:
    aided = f", with aid {event.aided}" if event.aided != event.damage_total else ""
    return (
        f"{name_of(before, event.fighter)} {'lives' if event.survived else 'dies'}: damage total "
        f"{event.damage_total}{aided}, {event.chance} % by the recovery table, due after {event.minutes} "
        f"minute{'s' * (event.minutes != 1)}"
    )


def _unhorsed(event: facts.Unhorsed, before: Rhand) -> str:
    speed = Fraction(event.combat_speed)
    return f"{name_of(before, event.fighter)} is off the horse, on foot at Combat Speed {speed}"


def _cover(event: facts.CoverTaken, before: Rhand) -> str:
    how = words(event.cover) if event.cover else "in the open"
    return f"{name_of(before, event.fighter)}, to archers: {how} ({event.rule})"


def _kept_actions(event: facts.ActionsKept, before: Rhand) -> str:
    told = [f"{name_of(before, each)} {number}" for each, number in event.saved.items() if number]
    return f"no orders, actions saved: {', '.join(told) or 'none'}"


def _readied(event: facts.Readied, before: Rhand) -> str:
    return f"{name_of(before, event.fighter)} has {words(event.name) or 'bare hands'}{' in hand' * bool(event.name)}"


def _hand(event: facts.HandChanged, before: Rhand) -> str:
    return f"{name_of(before, event.fighter)} fights with the {event.arm} hand ({event.rule})"


CAPTIONS: Mapping[type[Event], Caption] = {
    ActOpened: _act,
    TurnBegan: lambda event, before: f"phase {event.turn} begins",
    SecretRevealed: lambda event, before: f"dice of phase {event.turn} revealed (secret {event.secret[:16]}…)",
    facts.FieldLaid: _laid,
    facts.SpellListed: _spell,
    facts.FighterPlaced: _placed,
    facts.StepBegan: _step,
    facts.ReleaseOrdered: _ordered,
    facts.Released: _released,
    facts.SpellTook: _took,
    facts.Preparing: lambda e, b: f"{name_of(b, e.fighter)} prepares {words(e.spell)}, ready in phase {e.ready}",
    facts.ShotJudged: _shot,
    facts.ShotStopped: lambda e, b: f"the shot at {name_of(b, e.target)} strikes a shield or the ground ({e.rule})",
    facts.Moved: _moved,
    facts.Halted: lambda e, b: f"{name_of(b, e.fighter)} stops before {digits_of(e.before)}: {e.why} ({e.rule})",
    facts.CoverTaken: _cover,
    facts.ActionsCounted: _counted,
    facts.ControlLost: lambda e, b: f"{name_of(b, e.fighter)} does not master {name_of(b, e.horse)} ({e.rule})",
    facts.Unhorsed: _unhorsed,
    facts.ActionsSpent: _spent,
    facts.ActionsKept: _kept_actions,
    facts.ParryTyped: _typed,
    facts.BlowJudged: _blow,
    facts.CutThrough: _through,
    facts.Glanced: _glanced,
    facts.Struck: _struck,
    facts.LimbDisabled: _disabled,
    facts.KnockedOut: _down,
    facts.ArmRuled: lambda e, b: f"{name_of(b, e.fighter)} fights on with {_kept(e.keeps)} ({e.rule})",
    facts.Readying: _readying,
    facts.HandChanged: _hand,
    facts.Readied: _readied,
    facts.Distracted: lambda e, b: f"{name_of(b, e.fighter)} is distracted: {words(e.event)} ({e.rule})",
    facts.Roused: lambda e, b: f"{name_of(b, e.fighter)} is roused by {name_of(b, e.by)} ({e.rule})",
    facts.Yielded: lambda e, b: f"{name_of(b, e.fighter)} gives up",
    facts.Recovered: _recovered,
}
"""A caption for every fact."""


def _kept(keeps: str) -> str:
    return "the strapped shield" if keeps == "shield" else "kicks"
