"""What holds in every battle, whatever the dice."""

from __future__ import annotations

import pytest

from engine.adjudication.readjudicate import Readjudicator
from events.dresda import ActionTaken, Fought, Moved, ShotFired, Wounded
from events.facts import DiceRolled, Event, RollCalled
from projections.dice.rolls import dice_of, print_roll, read_printed
from projections.dresda.state import Battlefield
from replays.audit.verify import verify
from replays.seek import replay, steps
from tests.dresda.autoplayed import one_by_one_backwards, played
from tests.table import Table

BATTLES = [("dresda_skirmish", seed) for seed in range(12)] + [("dresda_ford", seed) for seed in range(4)]
each_battle = pytest.mark.parametrize(("name", "seed"), BATTLES)


def told(battle: Table) -> list[tuple[Event, Battlefield, Battlefield]]:
    """Every event with the states before and after it."""
    found = []
    for step in steps(battle.log, battle.fold, battle.line):
        assert isinstance(step.before, Battlefield)
        assert isinstance(step.after, Battlefield)
        found.append((step.event, step.before, step.after))
    return found


@each_battle
def test_a_whole_battle_ends_and_is_proved(name: str, seed: int) -> None:
    battle = played(name, seed)
    assert battle.state.table.ended
    verdict = verify(battle.log, "b")
    assert verdict.proved == sum(isinstance(event, DiceRolled) for event, _, _ in told(battle))
    assert battle.state == replay(battle.log, battle.fold, battle.line)


@pytest.mark.parametrize(("name", "seed"), [BATTLES[0], BATTLES[-1]])
def test_the_rules_run_again_over_the_record_differ_in_nothing(name: str, seed: int) -> None:
    battle = played(name, seed)
    judgement = Readjudicator(battle.log, battle.line, battle.rules).run()
    assert judgement.acts > 6


@each_battle
def test_wounds_never_fall_and_the_gone_stay_gone(name: str, seed: int) -> None:
    for _, before, after in told(played(name, seed)):
        for figure, was in before.figures.items():
            now = after.figures[figure]
            assert was.wounds <= now.wounds <= now.who.health
            assert not was.gone or now.gone == was.gone
            assert (now.wounds == now.who.health) <= (now.gone == "dead")


@each_battle
def test_the_dead_and_gone_do_nothing_and_nothing_is_done_to_them(name: str, seed: int) -> None:
    for event, before, _ in told(played(name, seed)):
        match event:
            case ShotFired():
                assert not before.figures[event.figure].gone
                assert not before.figures[event.target].gone
            case Moved() | ActionTaken() | Wounded():
                assert not before.figures[event.figure].gone
            case Fought():
                assert not before.figures[event.one].gone
                assert not before.figures[event.other].gone


@each_battle
def test_every_printed_check_reads_back_to_what_was_recorded(name: str, seed: int) -> None:
    for event, before, _ in told(played(name, seed)):
        if isinstance(event, DiceRolled):
            call = before.table.called[event.key]
            printed = read_printed(print_roll(call, event))
            assert (printed.said, printed.worked_out) == (event.success, event.success)
            added = sum(term.value for term in call.terms) if call.adds_to == "total" else 0
            assert printed.total == event.total == dice_of(call.dice).total(event.faces) + added
            assert len(printed.faces) == len(event.faces)


@each_battle
def test_every_roll_tells_its_exact_chances_before_the_dice(name: str, seed: int) -> None:
    for event, _, _ in told(played(name, seed)):
        if isinstance(event, RollCalled):
            assert event.rule
            assert event.chances or event.target in (0, 100)
            if event.test == "read":
                assert sum(each.of for each in event.chances) == event.chances[0].out_of
            for term in event.terms:
                assert term.rule
                assert term.source


@each_battle
def test_figures_stay_on_the_table(name: str, seed: int) -> None:
    for _, _, after in told(played(name, seed)):
        for figure in after.figures.values():
            assert 0 <= figure.place.x <= after.width
            assert 0 <= figure.place.y <= after.depth


@pytest.mark.parametrize(("name", "seed"), [*BATTLES[:6], BATTLES[-1]])
def test_the_order_in_which_orders_come_in_counts_for_nothing(name: str, seed: int) -> None:
    """Dice are bound to what was ordered, not to when: the same orders line by line, backwards, are the same battle."""
    one, other = played(name, seed), played(name, seed, one_by_one_backwards)
    assert isinstance(one.state, Battlefield)
    assert isinstance(other.state, Battlefield)
    assert one.state.figures == other.state.figures
    assert one.fold.picture(one.state) == other.fold.picture(other.state)


@pytest.mark.parametrize(("name", "seed"), BATTLES[:3])
def test_a_state_that_was_saved_is_the_same_when_loaded(name: str, seed: int) -> None:
    battle = played(name, seed)
    assert battle.fold.load(battle.fold.save(battle.state)) == battle.state
