"""What a rule cuts off a number is shown wherever the number is: `-20 → 1`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.driver import called_at
from engine.rules.dresda.aftermath import desertion_call
from engine.rules.ice_and_fire.condition import harm_of
from events.corrections import Modified
from events.facts import DiceRolled, RollCalled, Term
from events.ice_and_fire.units import Attacked, CasualtiesCounted
from projections.battle_state import BattleState
from projections.dice.rolls import limited, print_roll, read_printed, read_roll, within_limits
from projections.ice_and_fire import fold
from projections.ice_and_fire.state import BattleField
from projections.journal import caption, reasons
from tests.dresda.table_top import TableTop, fig

NIGHT = RollCalled(
    "k", "Perkin to hit Skarn", "blue", "perkin", "d100", "at_most", 1,
    terms=(Term("sling", 35), Term("night", -55)), limits=(1, 100), before_limits=-20,
)  # fmt: skip


def rolled(call: RollCalled, face: int) -> DiceRolled:
    reading = read_roll(call, (face,))
    return DiceRolled(call.key, (face,), reading.total, reading.success, "seeded", 1)


def test_l66_a_target_that_was_clamped_shows_what_it_was_and_reads_back() -> None:
    line = print_roll(NIGHT, rolled(NIGHT, 2))
    assert line == "Perkin to hit Skarn (+35 sling -55 night = -20 → 1) [d100] rolled 2 = 2 <= 1: no"
    printed = read_printed(line)
    assert (printed.before_limits, printed.target, printed.said, printed.worked_out) == (-20, 1, False, False)


@given(st.integers(-300, 300), st.integers(1, 100))
def test_l66_whatever_the_limits_do_the_line_reads_back(wanted: int, face: int) -> None:
    target = within_limits(wanted, (1, 100))
    call = replace(NIGHT, target=target, before_limits=wanted if wanted != target else None)
    printed = read_printed(print_roll(call, rolled(call, face)))
    assert (printed.before_limits, printed.target) == (call.before_limits, target)
    assert printed.said == printed.worked_out


def test_l66_a_line_whose_limits_and_target_differ_is_no_check() -> None:
    with pytest.raises(ValueError, match="the limits leave 2, the target is 1"):
        read_printed("to hit (+35 sling = -20 → 2) [d100] rolled 2 = 2 <= 1: no")


def test_words_that_look_like_limits_are_words() -> None:
    call = replace(NIGHT, purpose="x (= 3 → 9) [d100] to hit", before_limits=None)
    assert read_printed(print_roll(call, rolled(call, 2))).before_limits is None


def test_the_reasons_name_the_limits() -> None:
    assert "  -20  before the limits: at least 1, at most 100" in reasons(NIGHT, fold().start)


def test_a_forgotten_modifier_counts_before_the_limits() -> None:
    def with_modifier(value: int) -> RollCalled:
        return called_at(BattleState(modifiers={"k": (Modified("k", "a torch", value, "forgotten"),)}), NIGHT)

    helped, hardly = with_modifier(40), with_modifier(15)
    assert (helped.target, helped.before_limits, helped.chances[0].of) == (20, None, 1)
    assert (hardly.target, hardly.before_limits) == (1, -5)


def test_dr_130_a_chance_below_nothing_shows_what_it_was() -> None:
    top = TableTop({"thane": fig("red", "dwarf", 50, 50, status="hero"), "foe": fig("blue", "human", 50, 150)})
    call = desertion_call(top.battle.situation(), top["thane"])
    assert (call.target, call.before_limits, call.chances[0].of) == (0, -5, 1)
    assert "= -5 → 0) [d100]" in print_roll(call, rolled(call, 1))


def test_b_25_a_hit_that_armour_swallows_shows_what_it_was() -> None:
    """A miss is kept from nothing: there is no damage to be less than none."""
    assert (harm_of(2, 1, 4).before, harm_of(2, 0, 4).before, harm_of(5, 4, 2).before) == (-2, None, None)
    told = caption(fold(), Attacked("a", "b", "spear", 1, 0, True, 1, "IF-101", "k", before_limits=-2), BattleField())
    assert told.endswith("1 degree, -2 → 0 damage")


def test_if_194_men_lost_are_never_fewer_than_none() -> None:
    told = caption(fold(), CasualtiesCounted("a", "tested", -2, 1, 0, 0, "IF-191", "k"), BattleField())
    assert told.endswith("loses 0 men (-1 → 0)")
    assert limited(4, 4) == "4"
