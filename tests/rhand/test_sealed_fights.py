"""Declarations are sealed: nobody's shows before all are in, and the order of arrival changes nothing (SA-14)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from hashlib import sha256

import pytest

from engine.adjudication.readjudicate import Readjudicator
from engine.rules.rhand import rules
from engine.seats import sealing
from events.facts import DiceRolled, Revealed, Sealed
from replays.audit.verify import verify
from tests.rhand.ring import Ring, man
from tests.table import Table

LINES = [
    "ann: fight bob/short/cut bob/short/cut",
    "al: fight bob/normal/cut",
    "bob: fight ann/short/cut parry 1 shield 1",
]
FACES = {"1/hit": 9, "2/hit": 40, "impact": 5, "location": 72, "knockout": 50}


def three(by_hand: Sequence[str] = ("red", "blue")) -> Ring:
    return Ring(
        [
            man("ann", "red", "0505"),
            man("al", "red", "0604", "north_west"),
            man("bob", "blue", "0504", "south", shield="heater"),
        ],
        by_hand=by_hand,
    )


def test_a_declaration_shows_nowhere_until_all_are_revealed() -> None:
    """SA-14: record, state, picture and journal hold a digest alone."""
    ring = three()
    ring.go("declare")
    ring.order(*LINES)
    everything = [*ring.bodies(), ring.battle.fold.save(ring.state), ring.battle.fold.picture(ring.state)]
    assert not [text for text in everything if ": fight" in text or "short" in text]
    assert len(ring.facts(Sealed)) == 3
    ring.battle.proceed()
    assert [each.text for each in ring.facts(Revealed)] == sorted(LINES)


def test_each_seat_has_a_receipt_that_the_reveal_answers() -> None:
    """SA-14."""
    ring = three()
    ring.go("declare")
    ring.order(*LINES)
    receipts = {each.piece: each.digest for each in ring.facts(Sealed)}
    ring.battle.proceed()
    for each in ring.facts(Revealed):
        assert sha256(f"{each.salt} {each.text}".encode()).hexdigest() == receipts[each.piece]
    verify(ring.log, "ring")


@pytest.mark.parametrize("step", ["movement", "declare"])
def test_moves_are_sealed_too(step: str) -> None:
    ring = three()
    ring.go(step)
    ring.order("ann: walk back" if step == "movement" else "ann: dodge")
    assert not [body for body in ring.bodies() if "walk" in body or "dodge" in body]


def test_l64_all_submission_orders_give_the_same_state() -> None:
    """SA-08: whoever declares first, dice thrown in whatever order."""
    ends = set()
    for lines in itertools.permutations(LINES):
        ring = three()
        ring.go("declare")
        ring.order(*lines)
        ring.battle.proceed()
        ring.throw(dict(reversed(FACES.items())))
        ends.add(ring.battle.fold.save(ring.state).split('"fighters"')[1])
    assert len(ends) == 1


def test_with_dice_drawn_from_the_same_secret_every_submission_order_ends_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """SA-08, SA-14: the whole state is the same, dice and all."""
    monkeypatch.setattr("secrets.token_bytes", lambda number: bytes(number))
    ends = set()
    for lines in itertools.permutations(LINES):
        ring = three(by_hand=())
        ring.go("declare")
        ring.order(*lines)
        ring.battle.proceed()
        ends.add(ring.battle.fold.save(ring.state))
    assert len(ends) == 1


def test_seeded_dice_do_not_depend_on_the_order_of_arrival_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """They rest on what was ordered, sorted, with the salts of sealed orders (here: equal ones), not on the time."""

    monkeypatch.setattr(sealing, "token_hex", lambda count: "5a" * count)
    ring = three()
    ring.go("declare")
    head = ring.log.head(ring.battle.line).seq
    thrown = []
    for number, lines in enumerate(itertools.permutations(LINES)):
        line = ring.log.fork(ring.battle.line, f"try{number}", head, 1, "referee", "to compare", played=False)
        assert line.after == head
        battle = Table(ring.log, "ring", rules(), f"try{number}")
        for each in lines:
            battle.order("red" if each.startswith("a") else "blue", each)
        battle.proceed()
        content = battle.state.table.act
        assert content is not None
        thrown.append(content.content)
    assert len(set(thrown)) == 1


def test_the_record_of_a_fight_is_proved_and_judged() -> None:
    ring = three()
    ring.go("declare")
    ring.order(*LINES)
    ring.battle.proceed()
    ring.throw(FACES)
    assert verify(ring.log, "ring").entered == len(ring.facts(DiceRolled))
    assert Readjudicator(ring.log, ring.battle.line, rules()).run().orders == 3
