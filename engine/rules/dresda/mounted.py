"""Riders and their mounts: who is struck, and how a rider falls (DR-070 to DR-072, DG-09)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from engine.rules.dresda.calls import D100, percent_call, table_call
from engine.rules.dresda.situation import Situation
from engine.rules.rule_set import Yielded, ask_all, roll_all
from events.dresda import MountJudged, RiderThrown, Wounded
from events.facts import RollCalled, RulingRequested
from projections.dresda.state import Figure

YES, NO, ASK = "yes", "no", "ask"


def mount_struck_call(situation: Situation, key: str, firer: Figure, target: Figure) -> RollCalled:
    """The d100 that tells whether the mount is struck in its rider's place (DR-070)."""
    purpose = f"is {target.who.name}'s {target.mount.replace('_', ' ')} struck instead of its rider"
    band = next(each for each in situation.tables.mount_hit if each.struck == "mount")
    if band.roll_from == 1:
        return percent_call(key, purpose, firer, band.roll_to, "DR-070", "the mount")
    return table_call(key, purpose, firer, "DR-070", D100, lambda total: situation.tables.struck(total).struck)


def falls(situation: Situation, thrown: Sequence[tuple[Figure, str]]) -> Generator[Yielded, Any, None]:
    """Throw riders, each given with the key of what felled the mount: a d100 each, all at once (DR-072)."""
    calls = [
        table_call(
            f"{key}/thrown",
            f"{rider.who.name} is thrown from the saddle",
            rider,
            "DR-072",
            D100,
            lambda total: situation.tables.fall(total).result,
        )
        for rider, key in thrown
        if not situation.state.figures[rider.id].gone
    ]
    readings = yield from roll_all(calls)
    for call, reading in zip(calls, readings, strict=True):
        band = situation.tables.fall(reading.total)
        turn = situation.state.turn
        lost = turn + band.turns_lost if band.rest_of_turn_lost or band.turns_lost else 0
        yield RiderThrown(call.piece, band.result, band.prone, lost, band.dead, "DR-072", call.key)
        rider = situation.state.figures[call.piece]
        if band.wounds and not rider.gone:
            taken = min(band.wounds, rider.left)
            yield Wounded(rider.id, "", taken, taken >= rider.left, "DR-072", call.key)


def judge_mounts(situation: Situation, riders: Sequence[Figure]) -> Generator[Yielded, Any, None]:
    """Ask whether mounts fight of which the scenario leaves it open; once a battle (DR-089, DG-09). Default: no."""
    open_ones = [rider for rider in riders if rider.mounted and rider.mount_fights == ASK]
    answers = yield from ask_all(
        [
            RulingRequested(
                f"t{situation.state.turn}/mount/{rider.id}",
                "DG-09",
                f"is {rider.who.name}'s {rider.mount.replace('_', ' ')} an intelligent trained mount that fights?",
                (YES, NO),
                NO,
            )
            for rider in open_ones
        ]
    )
    for rider, answer in zip(open_ones, answers, strict=True):
        yield MountJudged(rider.id, answer == YES, "DG-09")
