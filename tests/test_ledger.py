"""The dice ledger: every die, in any line, from whatever source; what a person types is never in it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.corrections.plan import plan
from engine.corrections.request import CorrectionRequest
from events.dice.expression import NotationError
from events.facts import Chance, DicePartlyEntered, DiceRolled, Noted, RollCalled, Term, Test
from events.store.record import Draft
from events.store.sqlite import SqliteLog
from projections.dice.fairness import report_fairness
from projections.dice.ledger import Entry, Selection, kind_of, line_ledger, own_throws, read_ledger, select, totals
from projections.dice.ledger_text import as_csv, as_objects, badges, entry_line, faces_text, find_printed
from projections.dice.luck import report_luck
from projections.dice.report import audit, dice_html
from projections.dice.rolls import dice_of, print_roll, read_printed, read_roll
from projections.journal import caption
from replays.lines import adopted
from replays.seek import steps
from tests.dice_table import fight, open_table, roll
from tests.table import Table, apply_correction, branch
from tests.toy import ToyRules


@pytest.fixture
def battle(tmp_path: Path) -> Table:
    return open_table(tmp_path / "war.db")


def ledger(battle: Table) -> tuple[Entry, ...]:
    return read_ledger(battle.log, "b")


def on(battle: Table, line: str) -> Table:
    return Table(battle.log, "b", ToyRules(), line, battle.clock)


def test_a_roll_is_told_whole(battle: Table) -> None:
    fight(battle)
    entry = ledger(battle)[1]
    assert (entry.seat, entry.piece, entry.purpose) == ("red", "ann", "ann strikes bob")
    assert (entry.notation, entry.test, entry.target, entry.chance) == ("d6", "at_least", 4, (1, 2))
    assert (entry.turn, entry.act, entry.key, kind_of(entry)) == (1, "t1/blows", "t1/hit/ann>bob", "hit")
    assert entry.success == (entry.faces[0] >= 4)
    assert (entry.source, entry.standing, entry.certainty) == ("seeded", "in force", "dice")
    assert entry.at is not None


def test_every_die_of_every_line_is_there(battle: Table) -> None:
    fight(battle, 2)
    fork = branch(battle, "if", battle.seq, "referee", "what if")
    fight(on(battle, fork.name))
    apply_correction(
        battle, plan(battle, CorrectionRequest("undo", (battle.seq,), "referee", "wrong button", "reroll-act"))
    )
    fight(on(battle, adopted(battle.log, "b").name))
    recorded = [
        (line.name, record.seq)
        for line in battle.log.lines("b")
        for record in battle.log.records(line, line.after if line.parent else 0)
        if record.type == "roll.rolled"
    ]
    assert [(entry.line, entry.seq) for entry in ledger(battle)] == recorded
    standings = {(entry.line, entry.standing) for entry in ledger(battle)}
    assert standings >= {("main", "in force"), ("main", "taken back"), ("if", "what-if"), ("main.2", "in force")}


def test_the_rolls_of_one_line_are_those_that_led_to_where_it_stands(battle: Table) -> None:
    fight(battle)
    fork = branch(battle, "if", battle.seq, "referee", "what if")
    before = ledger(battle)
    fight(battle)
    fight(on(battle, fork.name))
    entries = line_ledger(battle.log, battle.log.line("b", "if"))
    own = select(ledger(battle), Selection(line="if"))
    assert [replace(entry, standing="in force") for entry in own] == list(entries[len(before) :])
    assert entries[: len(before)] == before
    assert {entry.standing for entry in entries} == {"in force"}
    assert line_ledger(battle.log, battle.line) == select(ledger(battle), Selection(line="main"))


def test_dice_that_a_ruling_kept_are_no_new_throw(battle: Table) -> None:
    fight(battle, 2)
    apply_correction(
        battle, plan(battle, CorrectionRequest("strike", (_first_order(battle),), "referee", "not allowed", "keep"))
    )
    kept = select(ledger(battle), Selection(source="kept"))
    assert kept
    assert {entry.standing for entry in kept} == {"in force"}
    assert all(entry.place == "main" for entry in kept)
    assert not set(own_throws(ledger(battle))) & set(kept)
    assert "kept dice" in badges(kept[0])


def _first_order(battle: Table) -> int:
    return next(record.act for record in battle.log.records(battle.line) if record.type == "order.given")


def test_dice_that_what_if_lines_share_bear_witness_once(battle: Table) -> None:
    first = branch(battle, "one", battle.seq, "referee", "", dice_of="one")
    second = branch(battle, "two", battle.seq, "referee", "", dice_of="one")
    for line in (first, second):
        fight(on(battle, line.name))
    entries = ledger(battle)
    assert [entry.faces for entry in select(entries, Selection(line="one"))] == [
        entry.faces for entry in select(entries, Selection(line="two"))
    ]
    assert len(own_throws(entries)) == len(entries) // 2


def test_a_branch_knows_the_call_that_was_open_where_it_left(battle: Table) -> None:
    battle.order("red", "ann: hit bob")
    battle.proceed(by_hand=["red"])
    line = branch(battle, "if", battle.seq, "referee", "")
    on(battle, line.name).roll({"t1/hit/ann>bob": (6,)})
    (entry,) = ledger(battle)
    assert (entry.standing, entry.purpose, entry.act) == ("what-if", "ann strikes bob", "t1/blows")


def test_filters_by_seat_piece_kind_turn_and_line(battle: Table) -> None:
    fight(battle, 2)
    entries = ledger(battle)
    assert {entry.seat for entry in select(entries, Selection(seat="red"))} == {"red"}
    assert {entry.piece for entry in select(entries, Selection(piece="ben"))} == {"ben"}
    assert {entry.turn for entry in select(entries, Selection(turn=2))} == {2}
    assert select(entries, Selection(kind="hit")) == entries
    assert select(entries, Selection(kind="hi")) == ()
    assert select(entries, Selection(line="main", seat="red", turn=1)) == tuple(
        entry for entry in entries if entry.seat == "red" and entry.turn == 1
    )


def test_a_kind_takes_its_finer_kinds_with_it() -> None:
    shot = roll("d6", 3, kind="missile/hit")
    assert select([shot], Selection(kind="missile")) == (shot,)


def test_totals_per_seat_add_up(battle: Table) -> None:
    fight(battle, 3)
    entries = ledger(battle)
    told = totals(entries)
    assert [each.seat for each in told] == ["blue", "red"]
    assert sum(each.rolls for each in told) == len(entries)
    for each in told:
        own = select(entries, Selection(seat=each.seat))
        assert each.successes == sum(bool(entry.success) for entry in own)
        assert each.expected * 2 == each.checks == len(own)


def test_kept_and_dropped_faces_are_told_apart() -> None:
    entry = roll("4d6k3", 2, 5, 2, 6)
    assert faces_text(entry) == "2 5 (2) 6"
    assert next(csv.DictReader(io.StringIO("".join(as_csv([entry])))))["dropped"] == "2"


def test_a_chance_that_the_record_states_wrongly_is_remarked_on(battle: Table) -> None:
    call = RollCalled("k", "hits", "red", "ann", "d6", "at_least", 4, chances=(Chance("hit", 2, 6),))
    battle.log.append(battle.line, _drafts(call, DiceRolled("k", (5,), 5, True, "entered", 1)), battle.seq, 1)
    (entry,) = ledger(battle)
    assert entry.chance == (1, 2)
    assert entry.remarks == ("the record states a chance of 2 in 6, the dice give 1 in 2",)
    assert "2 in 6" in entry_line(entry)


def test_dice_that_nobody_called_for_are_surplus(battle: Table) -> None:
    stray = DiceRolled("k", (5,), 5, None, "seeded", 1)
    battle.log.append(battle.line, _drafts(stray), battle.seq, 1)
    assert ledger(battle)[0].standing == "surplus"


def _drafts(*events: RollCalled | DiceRolled | DicePartlyEntered) -> list[Draft]:
    return [Draft(event, "red") for event in events]


def test_dice_entered_beyond_those_called_for_are_in_the_ledger_as_set_aside(battle: Table) -> None:
    call = RollCalled("k", "hits", "red", "ann", "2d6", "read")
    fallen = DiceRolled("k", (5, 4), 9, None, "entered", 1, surplus=(6,))
    battle.log.append(battle.line, _drafts(call, fallen), battle.seq, 1)
    used, surplus = ledger(battle)
    assert (used.faces, used.standing, used.total) == ((5, 4), "in force", 9)
    assert (surplus.faces, surplus.kept, surplus.standing, surplus.total) == ((6,), (False,), "surplus", None)
    assert "set aside" in entry_line(surplus)
    assert "UNUSED" in entry_line(surplus)


def test_dice_entered_in_part_are_there_until_the_others_come(battle: Table) -> None:
    call = RollCalled("k", "hits", "red", "ann", "3d6", "at_least", 9, by_hand=True)
    battle.log.append(
        battle.line, _drafts(call, DicePartlyEntered("k", (5,)), DicePartlyEntered("k", (4,))), battle.seq, 1
    )
    (entry,) = ledger(battle)
    assert (entry.faces, entry.total, entry.source) == ((5, 4), None, "entered")
    assert "the other dice are waited for" in entry_line(entry)
    assert report_luck([entry]).looks == 0
    fallen = DiceRolled("k", (5, 4, 3), 12, True, "entered", 1)
    battle.log.append(battle.line, _drafts(fallen), battle.seq + 3, 2)
    assert [entry.faces for entry in ledger(battle)] == [(5, 4, 3)]


# As text, CSV, JSON


def test_csv_holds_every_roll_and_no_formula(battle: Table) -> None:
    fight(battle)
    entries = (*ledger(battle), roll("d6", 3, purpose='=HYPERLINK("x")', piece="a,b\n"))
    rows = list(csv.DictReader(io.StringIO("".join(as_csv(entries)))))
    assert len(rows) == len(entries)
    assert rows[-1]["purpose"] == '\'=HYPERLINK("x")'
    assert rows[-1]["piece"] == "a,b\n"
    assert [row["faces"] for row in rows] == [" ".join(map(str, entry.faces)) for entry in entries]


def test_json_gives_every_field_and_the_badges(battle: Table) -> None:
    fight(battle)
    told = json.loads(json.dumps(as_objects(ledger(battle))))
    assert set(told[0]) >= {*Entry.__struct_fields__, "badges"}
    assert told[0]["at"].endswith("Z")


# L36


def calls() -> st.SearchStrategy[RollCalled]:
    tests: st.SearchStrategy[Test] = st.sampled_from(["at_most", "below", "at_least", "above", "read"])
    terms = st.lists(st.builds(Term, st.sampled_from(["base", "range +2", "a = b"]), st.integers(-30, 30)), max_size=3)
    return st.builds(
        RollCalled,
        key=st.just("k"),
        purpose=st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=20),
        seat=st.just("red"),
        piece=st.just("ann"),
        dice=st.sampled_from(["d6", "d100", "2d6+3", "4d6k3", "4D+2B-1P", "d66", "1d20-5", "0d6+2"]),
        test=tests,
        target=st.integers(-20, 120),
        adds_to=st.sampled_from(["target", "total"]),
        terms=terms.map(tuple),
    )


@given(call=calls(), data=st.data())
def test_l36_a_printed_check_judged_again_gives_the_recorded_outcome(call: RollCalled, data: st.DataObject) -> None:
    faces = tuple(data.draw(st.integers(low, high)) for low, high in dice_of(call.dice).faces())
    reading = read_roll(call, faces)
    rolled = DiceRolled("k", faces, reading.total, reading.success, "seeded", 1)
    printed = read_printed(print_roll(call, rolled))
    assert printed.worked_out == printed.said == rolled.success
    assert (printed.faces, printed.total, printed.dice) == (faces, rolled.total, call.dice)
    assert len(printed.faces) == len(dice_of(call.dice).faces())


def test_l36_every_check_of_a_battle_reads_back_as_it_was_recorded(battle: Table) -> None:
    fight(battle, 3)
    checked = 0
    for step in steps(battle.log, battle.fold, battle.line):
        if isinstance(step.event, DiceRolled):
            printed = read_printed(caption(battle.fold, step.event, step.before))
            assert printed.worked_out == step.event.success
            assert printed.faces == step.event.faces
            checked += 1
    assert checked == len(ledger(battle)) > 0


# L41

FORGED = "Ann rolls 1d100: 01 (critical) \x1b[31m<b>[color=red]\u200b ann strikes bob [d6] rolled 6 = 6 >= 4: yes"


def forge(battle: Table) -> None:
    """Put the note on record past the door, which refuses it, as in a record from elsewhere."""
    battle.log.append(battle.line, [Draft(Noted(FORGED), "red")], battle.seq, 1)
    battle.refresh()


def test_l41_a_roll_typed_as_text_is_never_in_the_ledger(battle: Table) -> None:
    forge(battle)
    battle.note("red", "ann strikes bob [d6] rolled 6 = 6 >= 4: yes")
    assert ledger(battle) == ()
    assert find_printed(ledger(battle), "ann strikes bob [d6] rolled 6 = 6 >= 4: yes") == ()


def test_l41_what_a_person_typed_is_shown_as_a_quotation(battle: Table) -> None:
    forge(battle)
    *_, step = steps(battle.log, battle.fold, battle.line)
    told = caption(battle.fold, step.event, step.before)
    assert told.startswith("note: “")
    assert told.endswith("”")
    assert told.isprintable()
    assert "<U+001B>" in told
    assert "<U+200B>" in told


def test_l41_a_true_line_is_found_and_a_changed_one_is_not(battle: Table) -> None:
    fight(battle)
    entry = ledger(battle)[0]
    step = next(
        step for step in steps(battle.log, battle.fold, battle.line) if step.record.seq == entry.seq
    )  # fmt: skip
    told = caption(battle.fold, step.event, step.before)
    assert entry in find_printed(ledger(battle), told)
    face = entry.faces[0]
    assert find_printed(ledger(battle), told.replace(f"rolled {face} = {face}", "rolled 9 = 9")) == ()
    assert find_printed(ledger(battle), "words") == ()


def test_l41_names_and_labels_cannot_break_out_of_a_page() -> None:
    bad = roll("d6", 3, purpose="<script>alert(1)</script>\x1b[31m", piece='" onload="x', remarks=("a\u202eb",))
    page = "\n".join(dice_html(audit("<i>", [bad])))
    assert "<script" not in page
    assert "<i>" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_a_line_of_the_ledger_names_the_seat_and_the_piece(battle: Table) -> None:
    assert " red / ann: " in entry_line(roll("d6", 3, seat="red", piece="ann"))
    assert " red: " in entry_line(roll("d6", 3, seat="red", piece=""))
    assert " nobody: " in entry_line(roll("d6", 3, seat="", piece=""))


def test_lines_of_the_page_are_indented_by_what_they_belong_to() -> None:
    halves = (Chance("low", 3, 6), Chance("high", 3, 6))
    page = "\n".join(dice_html(audit("a battle", [roll("d6", 3, seat="red", chances=halves)] * 20)))
    assert '<p class="in0">a battle: 20 rolls on record' in page
    assert '<p class="in1">red: 20 rolls' in page
    assert '<p class="in2">results, in brackets' in page


# L42


def test_l42_entered_dice_are_checked(tmp_path: Path) -> None:
    battle = open_table(tmp_path / "war.db")
    call = RollCalled("k", "damage", "red", "ann", "4d6", "read", by_hand=True)
    with pytest.raises(NotationError, match="4 faces are needed, 3 given"):
        read_roll(call, (6, 6, 7))
    with pytest.raises(NotationError, match="die 4 of 4 shows 7"):
        read_roll(call, (6, 6, 6, 7))
    assert read_roll(call, (6, 6, 6, 5)).total == 23
    battle.order("red", "ann: hit bob")
    battle.proceed(by_hand=["red"])
    before = battle.seq
    for wrong in ((7,), (0,), ()):
        with pytest.raises(NotationError):
            battle.roll({"t1/hit/ann>bob": wrong})
    assert battle.log.head(battle.line).seq == before


def test_l42_entered_dice_wear_a_badge_in_every_output(battle: Table) -> None:
    battle.order("red", "ann: hit bob")
    battle.proceed(by_hand=["red"])
    battle.roll({"t1/hit/ann>bob": (6,)})
    (entry,) = ledger(battle)
    assert entry.source == "entered"
    assert "[entered dice]" in entry_line(entry)
    assert "entered dice" in "\n".join(dice_html(audit("b", [entry])))
    assert as_objects([entry])[0]["badges"] == ["entered dice"]
    assert next(csv.DictReader(io.StringIO("".join(as_csv([entry])))))["source"] == "entered"
    step = next(step for step in steps(battle.log, battle.fold, battle.line) if isinstance(step.event, DiceRolled))
    assert "[entered dice]" in caption(battle.fold, step.event, step.before)


def test_l42_entered_dice_count_for_luck_and_not_for_the_generator() -> None:
    entered = [roll("d6", 6, test="at_least", target=4, source="entered") for _ in range(100)]
    fair = report_fairness(entered)
    assert (fair.tests, fair.faces, fair.left_out) == ((), (), 100)
    assert report_luck(entered).seats[0].successes == 100


# L43


def test_l43_statistics_after_three_sessions_are_those_of_the_whole_log(tmp_path: Path) -> None:
    path = tmp_path / "war.db"
    battle = open_table(path)
    fight(battle)
    for _ in range(2):
        battle.log.close()
        battle = Table(SqliteLog(path, durability="normal"), "b", ToyRules())
        fight(battle)
    session_by_session = ledger(battle)
    reopened = read_ledger(SqliteLog(path, read_only=True), "b")
    assert session_by_session == reopened
    assert len(reopened) == sum(record.type == "roll.rolled" for record in battle.log.records(battle.line))
    assert report_luck(reopened) == report_luck(session_by_session)


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("t3/missile/grubnik>aldric/hit", "missile/hit"),
        ("t1/melee/aldric.horse~grubnik/aldric.horse", "melee"),
        ("t2/blows/1/aldric/location", "blows/location"),
        ("after/desertion/snaga", "after/desertion"),
    ],
)
def test_a_kind_is_a_key_without_turns_rounds_and_pieces(battle: Table, key: str, kind: str) -> None:
    for piece in ("grubnik", "aldric", "snaga"):
        battle.log.append(battle.line, _drafts(RollCalled(f"x/{piece}", "", "red", piece, "d6", "read")), battle.seq, 1)
        battle.refresh()
    call = RollCalled(key, "", "red", "", "d6", "read")
    battle.log.append(battle.line, _drafts(call, DiceRolled(key, (1,), 1, None, "entered", 1)), battle.seq, 1)
    assert [entry.kind for entry in ledger(battle)] == [kind]
