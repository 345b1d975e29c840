"""Fights of random orders, rulings, stated facts and options: nothing breaks, nothing diverges, everything is told."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.adjudication.readjudicate import Readjudicator
from engine.errors import BattleError
from engine.orders import write_sheet
from engine.orders.errors import OrderError
from engine.rules.rhand import rules
from engine.rules.rhand.orders import BLOWS, STROKES
from engine.rules.rhand.positions import gap
from projections.journal import caption
from projections.rhand.state import Fighter
from replays.audit.verify import verify
from replays.seek import replay, steps
from tests.rhand.ring import Ring, man
from tests.rhand.test_properties import EMBER, KITS

SPELLS: list[dict[str, Any]] = [EMBER, {"id": "zap", "force": 30, "effect": "down"}, {"id": "push", "force": 3}]
STRIDES = ("forward", "back", "left", "right", "turn_left", "turn_right")
STATED = ("down", "up", "hurt 3", "lame right_arm", "lame left_leg", "holds dagger", "at 0404")


def muster(chance: Random, mounted: bool) -> list[dict[str, Any]]:
    fighters = []
    for seat, row, facing in (("red", 8, "north"), ("blue", 6, "south")):
        for place in range(chance.randint(1, 4)):
            kit = {**chance.choice(KITS), "carries": ["dagger", "buckler"], "braced": chance.random() < 0.3}
            if "spells" in kit:
                kit["spells"] = [each["id"] for each in SPELLS]
            if mounted and chance.random() < 0.4:
                kit["mount"] = chance.choice(["warhorse", "horse"])
            fighters.append(man(f"{seat}{place}", seat, f"{5 + place:02}{row:02}", facing, **kit))
    return fighters


def blow(chance: Random, target: str) -> str:
    parts = [target, chance.choice(STROKES), chance.choice(["", "cut", *BLOWS]), chance.choice(["", "", "", "head"])]
    return "/".join(parts).rstrip("/")


def order(chance: Random, ring: Ring, fighter: Fighter) -> str:
    foes = [each for each in ring.state.fighters.values() if each.seat != fighter.seat]
    target = chance.choice(sorted(foes, key=lambda foe: (foe.out, gap(fighter, foe), foe.id))[:2]).id
    strike, again = blow(chance, target), blow(chance, target)
    walk = " ".join(chance.choice(STRIDES) for _ in range(chance.randint(1, 4)))
    spell = chance.choice(SPELLS)["id"]
    choices = {
        "release": [f"shoot at {target}", f"shoot at {target} volley", f"cast {spell} at {target}", f"prepare {spell}"],
        "movement": [f"walk {walk}", f"run {chance.randint(1, 9)}", f"pass {strike} parry 1"],
        "declare": [
            f"fight {strike}", f"fight {strike} {again}", f"fight {strike} parry 1 shield 1", "fight parry 2", "dodge",
            "draw dagger", "don buckler", f"rouse {target}",
        ],
    }  # fmt: skip
    return f"{fighter.id}: {chance.choice(choices[ring.state.step])}"


def command(chance: Random, ring: Ring) -> None:
    """Let everybody try a few orders; what the rules refuse is not given."""
    if ring.state.step == "movement" and chance.random() < 0.7:
        for seat in ("red", "blue"):
            if sheet := write_sheet(rules().autoplay(ring.situation, seat)):
                ring.battle.order(seat, sheet)
        return
    for fighter in list(ring.state.fighters.values()):
        for _ in range(8):
            try:
                ring.battle.order(fighter.seat, order(chance, ring, fighter))
                break
            except OrderError:
                continue


def answer(chance: Random, ring: Ring) -> None:
    """Answer what the referee is asked, at times with nonsense."""
    while ring.state.table.asked:
        key, question = min(ring.state.table.asked.items())
        who = chance.choice(sorted(ring.state.fighters))
        free = ["nothing", question.default, f"{who} down", f"{who} pd 5", f"{who} moved 0303", "who knows"]
        ring.battle.rule(key, chance.choice(question.choices or free))


@pytest.mark.parametrize("seed", range(16))
def test_a_fight_of_random_orders_neither_breaks_nor_diverges(seed: int) -> None:
    chance = Random(seed)
    options = {name: chance.choice(values) for name, values in rules().options.items()}
    ring = Ring(
        muster(chance, options["mounted"] == "on"), spells=SPELLS, options=options,
        field={"last_phase": 7, "columns": 12, "rows": 12}, referee=chance.choice(["absent", "present"]),
    )  # fmt: skip
    while not ring.state.table.ended:
        answer(chance, ring)
        if ring.state.table.ended:
            break
        command(chance, ring)
        if chance.random() < 0.15:
            try:
                who = chance.choice(sorted(ring.state.fighters))
                ring.battle.state_fact(f"{who}: {chance.choice(STATED)}", "as it stood")
            except (OrderError, BattleError):
                pass
        ring.battle.proceed()
    assert replay(ring.log, ring.battle.fold, ring.battle.line) == ring.state
    verify(ring.log, "ring")
    Readjudicator(ring.log, ring.battle.line, rules()).run()
    assert all(
        caption(ring.battle.fold, each.event, each.before)
        for each in steps(ring.log, ring.battle.fold, ring.battle.line)
    )
