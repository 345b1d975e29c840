"""Orders as players hand them in by post: receipts, digests first, late and stale ones, standing orders, new owners."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from engine.adjudication.readjudicate import Readjudicator
from engine.answers import Answer
from engine.corrections.plan import plan
from engine.corrections.request import CorrectionRequest
from engine.errors import AnswerRefused, BattleClosed
from engine.orders.errors import OrderError, SheetRefused, StalePhase
from engine.seats.posts import orders_in_post
from engine.seats.sealing import place_of
from engine.seats.submissions import Receipt, receipts_of, sheet_receipt
from events.deadlines import OrdersCalled
from events.facts import NotUsed, Ordered, OrdersSupplied, Revealed
from events.store.errors import Conflict, RequestReused
from replays.audit.verify import verify
from replays.seek import steps
from tests.by_command import hand_in, hand_in_digest, hand_in_text, leave_standing, take_seat
from tests.canary import Run, at_the_table, open_table
from tests.table import Table, apply_correction
from tests.test_viewer import FOLD, RULES, table


def told(battle: Table, kind: type) -> list[object]:
    return [step.event for step in steps(battle.log, FOLD, battle.line) if isinstance(step.event, kind)]


def kept_by_their_seats(battle: Table) -> list[tuple[str, str]]:
    """Seat and digest of the orders whose text their seats keep themselves and have not submitted."""
    own = [each for each in battle.state.table.orders if each.own]
    return [(each.seat, each.digest) for each in own if place_of(each, battle.log.secret) is None]


def receipts(battle: Table, done: Answer) -> list[Receipt]:
    return receipts_of(battle.view, done.first, done.last, battle.log.secret)


@pytest.fixture(params=["open", "sealed"])
def battle(request: pytest.FixtureRequest) -> Iterator[Table]:
    """A table with open orders, and one with sealed ones; whatever was done there must be verified and judged."""
    made = table(orders=request.param)
    yield made
    line = made.line
    verify(made.log, "b")
    Readjudicator(made.log, line, RULES).run()


def test_l53_the_receipt_of_the_canonical_text_is_shown_again_at_the_reveal() -> None:
    battle = table(orders="sealed")
    (receipt,) = receipts(battle, hand_in(battle, "red", "ANN : hit Bob"))
    assert receipt.text == "ann: hit bob"
    assert sha256(f"{receipt.salt} {receipt.text}".encode()).hexdigest() == receipt.digest
    battle.proceed()
    (revealed,) = told(battle, Revealed)
    assert (revealed.digest, revealed.text, revealed.salt) == (receipt.digest, receipt.text, receipt.salt)  # type: ignore[attr-defined]


def test_l53_a_change_by_staff_is_an_event_signed_by_staff(battle: Table) -> None:
    battle.order("red", "ann: hit bob")
    battle.order("referee", "ann: hit ben")
    assert [record.actor for record in battle.log.records(battle.line, 7)][-2:] == ["red", "referee"]


def test_an_open_order_has_a_receipt_that_anybody_can_work_out_once_it_is_seen() -> None:
    battle = table()
    (receipt,) = receipts(battle, hand_in(battle, "red", "ann: hit bob"))
    assert receipt.digest == sha256(b"b/main/8 ann: hit bob").hexdigest()
    assert receipt.digest not in [record.hash for record in battle.log.records(battle.line)]


def test_one_receipt_stands_for_all_that_a_seat_hands_in_together(battle: Table) -> None:
    done = hand_in(battle, "red", "ann: hit bob\nal: hit ben")
    both = receipts(battle, done)
    assert [each.text for each in both] == ["ann: hit bob", "al: hit ben"]
    assert sheet_receipt(both) == sha256("\n".join(each.digest for each in both).encode()).hexdigest()


def test_l52_orders_of_a_player_who_was_replaced_are_kept_and_not_used(battle: Table) -> None:
    take_seat(battle, "blue", "Ben")
    battle.order("blue", "bob: hit ann")
    leave_standing(battle, "blue", "bob: hit al")
    take_seat(battle, "blue", "Una")
    battle.proceed()
    assert [event.reason for event in told(battle, NotUsed)] == ["owner removed"]  # type: ignore[attr-defined]
    assert battle.state.table.players == {"blue": "Una"}
    assert not [
        record for record in battle.log.records(battle.line) if record.type in ("roll.called", "order.supplied")
    ]


def test_l52_orders_of_the_new_player_are_used(battle: Table) -> None:
    battle.order("blue", "bob: hit ann")
    take_seat(battle, "blue", "Una", was="Ben")
    battle.order("blue", "bob: hit al")
    battle.proceed()
    assert [record.type for record in battle.log.records(battle.line)].count("roll.called") == 1


def test_the_first_player_who_is_named_keeps_what_was_ordered(battle: Table) -> None:
    battle.order("blue", "bob: hit ann")
    take_seat(battle, "blue", "Ben")
    assert len(battle.state.table.orders) == 1
    with pytest.raises(OrderError, match="Ben plays blue already"):
        take_seat(battle, "blue", "Ben")


def test_l56_orders_for_a_phase_already_gone_are_given_back(battle: Table) -> None:
    battle.proceed()
    before = battle.seq
    with pytest.raises(StalePhase, match="STALE_PHASE") as stale:
        hand_in(battle, "red", "ann: hit bob", phase="t1/blows")
    assert (stale.value.text, stale.value.now, battle.seq) == ("ann: hit bob", "t2/blows", before)


@pytest.mark.parametrize("phase", ["t1/blows", "t1", ""])
def test_orders_for_the_phase_to_come_are_taken(battle: Table, phase: str) -> None:
    hand_in(battle, "red", "ann: hit bob", phase=phase)
    assert len(battle.state.table.orders) == 1


def test_l56_without_orders_the_standing_ones_are_used(battle: Table) -> None:
    leave_standing(battle, "blue", "bob: hit ann\nben: hit al")
    battle.order("red", "ann: hit bob")
    battle.proceed()
    assert told(battle, OrdersSupplied) == [OrdersSupplied("blue", "t1/blows", "standing")]
    assert [event.text for event in told(battle, Ordered)][-2:] == ["bob: hit ann", "ben: hit al"]  # type: ignore[attr-defined]
    battle.proceed()
    assert len(told(battle, OrdersSupplied)) == 2


def test_whoever_orders_anything_gets_no_standing_order_beside_it(battle: Table) -> None:
    leave_standing(battle, "blue", "bob: hit ann\nben: hit al")
    battle.order("blue", "ben: hit ann")
    battle.proceed()
    assert told(battle, OrdersSupplied) == []


def test_whoever_is_done_without_an_order_gets_no_standing_order(battle: Table) -> None:
    leave_standing(battle, "blue", "bob: hit ann")
    hand_in(battle, "blue", "", mark="final")
    battle.proceed()
    assert told(battle, OrdersSupplied) == []
    battle.proceed()
    assert told(battle, OrdersSupplied) == [OrdersSupplied("blue", "t2/blows", "standing")]


def test_standing_orders_are_taken_back_by_an_empty_sheet(battle: Table) -> None:
    leave_standing(battle, "blue", "bob: hit ann")
    leave_standing(battle, "blue", "  \n")
    battle.proceed()
    assert told(battle, OrdersSupplied) == []


def test_standing_orders_are_examined_when_they_are_left() -> None:
    battle = table()
    with pytest.raises(SheetRefused, match="htt"):
        leave_standing(battle, "blue", "bob: htt ann")
    with pytest.raises(OrderError, match="ann takes orders from red"):
        leave_standing(battle, "blue", "ann: hit bob")


def test_l56_without_any_the_declared_default_is_used() -> None:
    battle = table(missing_orders="drill")
    battle.order("red", "ann: chant quiet")
    battle.proceed()
    assert told(battle, OrdersSupplied) == [OrdersSupplied("blue", "t1/blows", "drill")]
    Readjudicator(battle.log, battle.line, RULES).run()


def test_late_orders_are_kept_and_do_not_count(battle: Table) -> None:
    done = hand_in(battle, "blue", "bob: hit ann\n\nnonsense", late=True)
    (late,) = receipts(battle, done)
    assert late.text == "bob: hit ann; nonsense"
    assert battle.state.table.orders == ()
    assert "hit" not in next(battle.log.records(battle.line, done.first - 1)).body


@pytest.mark.parametrize(("option", "counts"), [("taken", 1), ("kept", 0)])
def test_the_battle_says_whether_orders_count_after_the_deadline(option: str, counts: int) -> None:
    battle = table(late_orders=option)
    due = battle.clock()
    battle.say("referee", OrdersCalled("t1/blows", due, "Europe/Berlin", 3600))
    battle.clock = lambda: due
    hand_in(battle, "blue", "ben: hit ann")
    battle.clock = lambda: due + 1
    hand_in(battle, "blue", "bob: hit ann")
    assert [order.seat for order in battle.state.table.orders] == ["blue"] * (1 + counts)
    hand_in(battle, "referee", "bob: hit al")
    assert [order.text for order in battle.state.table.orders] == ["ben: hit ann", "bob: hit al"]


@pytest.mark.parametrize("mark", ["provisional", "final"])
def test_a_seat_says_whether_it_is_done(battle: Table, mark: str) -> None:
    hand_in(battle, "red", "ann: hit bob", mark=mark)
    said = battle.state.table.marks["red"]
    assert (said.mark, said.act) == (mark, "t1/blows")


def test_the_referee_says_whose_orders_are_final() -> None:
    with pytest.raises(OrderError, match="belong to a seat"):
        hand_in(table(), "referee", "ann: hit bob", mark="final")


# ------------------------------------------------------------------------------------------ digests first, texts later


def by_hand(salt: str, text: str) -> tuple[str, str]:
    """What a player makes without this program: printf '%s' 'SALT TEXT' | sha256sum."""
    sealed = f"{salt} {text}"
    return sealed, sha256(sealed.encode()).hexdigest()


def test_a_player_seals_an_order_without_this_program(battle: Table) -> None:
    sealed, digest = by_hand("xyzzy", "Ann: HIT bob")
    hand_in_digest(battle, "red", digest)
    assert kept_by_their_seats(battle) == [("red", digest)]
    hand_in_text(battle, "red", sealed)
    assert kept_by_their_seats(battle) == []
    assert not [record for record in battle.log.records(battle.line) if "HIT bob" in record.body]
    battle.proceed()
    (revealed,) = told(battle, Revealed)
    assert revealed == Revealed("red", "ann", "blows", "Ann: HIT bob", "xyzzy", digest, "ann: hit bob")
    assert [record.type for record in battle.log.records(battle.line)].count("roll.called") == 1


def test_an_order_whose_text_never_comes_is_not_carried_out(battle: Table) -> None:
    _, digest = by_hand("xyzzy", "ann: hit bob")
    hand_in_digest(battle, "red", digest)
    battle.proceed()
    assert told(battle, Revealed) == []
    assert [order.digest for order in battle.state.table.orders] == [digest]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("xyzzy ann: hit ben", AnswerRefused),
        ("xyzzy  ann: hit bob", AnswerRefused),
        ("xyzz ann: hit bob", AnswerRefused),
    ],
)
def test_another_text_than_the_one_sealed_is_refused(battle: Table, text: str, error: type[Exception]) -> None:
    hand_in_digest(battle, "red", by_hand("xyzzy", "ann: hit bob")[1])
    with pytest.raises(error, match="letter by letter"):
        hand_in_text(battle, "red", text)


@pytest.mark.parametrize("text", ["ann: htt bob", "bob: hit ann", "ann: hit zed", "ann: curse bob"])
def test_a_sealed_text_that_is_no_order_of_the_seat_is_refused(battle: Table, text: str) -> None:
    sealed, digest = by_hand("xyzzy", text)
    hand_in_digest(battle, "red", digest)
    with pytest.raises(OrderError):
        hand_in_text(battle, "red", sealed)


@pytest.mark.parametrize("digest", ["", "5a17", "G" * 64, "A" * 64, "0" * 65])
def test_what_is_no_digest_is_refused(digest: str) -> None:
    with pytest.raises(OrderError, match="64 hex digits"):
        hand_in_digest(table(), "red", digest)


def test_a_seat_may_bring_its_own_salt() -> None:
    battle = table(orders="sealed")
    (receipt,) = receipts(battle, hand_in(battle, "red", "ann: hit bob", salt="xyzzy"))
    assert receipt.digest == by_hand("xyzzy", "ann: hit bob")[1]
    with pytest.raises(SheetRefused, match="choose another"):
        hand_in(battle, "red", "ann: hit bob", salt="xyzzy")
    with pytest.raises(OrderError, match="no space"):
        hand_in(battle, "red", "ann: hit bob", salt="x y")


def test_of_several_sealed_orders_of_a_piece_the_last_counts() -> None:
    battle = table(orders="sealed")
    first = receipts(battle, hand_in(battle, "red", "ann: hit bob"))
    battle.order("red", "ann: hit ben")
    battle.proceed()
    assert [event.text for event in told(battle, Revealed)] == ["ann: hit ben"]  # type: ignore[attr-defined]
    assert told(battle, NotUsed) == [NotUsed("red", "replaced", digest=first[0].digest)]
    Readjudicator(battle.log, battle.line, RULES).run()


def test_a_sealed_battle_without_its_vault_is_not_continued() -> None:
    from events.store.memory import MemoryLog

    battle = table(orders="sealed")
    battle.order("red", "ann: hit bob")
    copy = MemoryLog()
    copy.restore("b", battle.log.lines("b"), battle.log.records(battle.line))
    copy.keep_document(battle.state.table.tables, battle.log.document(battle.state.table.tables) or "")
    with pytest.raises(BattleClosed, match="a sealed order of red is not in this file"):
        Table(copy, "b", RULES).proceed()


def test_a_correction_keeps_receipts_standing_orders_and_marks(battle: Table) -> None:
    battle.order("red", "ann: hit bob")
    before = [order.digest for order in battle.state.table.orders]
    leave_standing(battle, "blue", "bob: hit ann")
    battle.order("red", "al: chant low")
    hand_in(battle, "red", "", mark="final")
    chant = next(each.seq for each in battle.log.records(battle.line, battle.seq - 2))
    line = apply_correction(battle, plan(battle, CorrectionRequest("strike", (chant,), "referee", "a slip", "keep")))
    again = Table(battle.log, "b", RULES, line.name)
    assert [order.digest for order in again.state.table.orders] == before
    again.proceed()
    assert told(again, OrdersSupplied) == [OrdersSupplied("blue", "t1/blows", "standing")]
    assert [record.type for record in again.log.records(again.line)].count("roll.called") == 2
    undone = apply_correction(again, plan(again, CorrectionRequest("undo", (), "referee", "again", "keep")))
    assert told(Table(battle.log, "b", RULES, undone.name), OrdersSupplied) == []
    Readjudicator(again.log, again.line, RULES).run()


# ------------------------------------------------------------------------------------------------ once, and on the head


def test_l57_the_same_request_is_one_event_with_one_answer(battle: Table) -> None:
    answers = [hand_in(battle, "red", "ann: hit bob", request="click") for _ in range(5)]
    assert {(each.first, each.last) for each in answers} == {(8, 8)}
    assert [each.repeated for each in answers] == [False, True, True, True, True]
    assert receipts(battle, answers[0]) == receipts(battle, answers[4])
    with pytest.raises(RequestReused):
        hand_in(battle, "red", "ann: hit ben", request="click")


def test_l58_orders_for_an_older_head_are_refused_with_what_came_between(battle: Table) -> None:
    seen = battle.seq
    hand_in(battle, "red", "ann: hit bob\nal: hit ben")
    hand_in(battle, "blue", "bob: hit ann\nben: hit al")
    with pytest.raises(Conflict) as conflict:
        hand_in(battle, "red", "ann: hit ben", expected=seen)
    assert len(conflict.value.between) == 4
    assert "hit" not in str(conflict.value)


# --------------------------------------------------------------------------------------------------------------- posts


def test_a_post_is_taken_with_its_orders_alone() -> None:
    battle = table()
    post = "> bob: hit al\n[b]Ann[/b]: hit Bob :)\nOOC: sorry for the wait\n-- \nAnn, captain of the Red\n"
    assert orders_in_post(battle, post).split("\n") == ["", "Ann: hit Bob", "", "", "", ""]


@pytest.mark.parametrize(
    ("post", "says"),
    [
        ("Ann: hit bob\nThen we shall see.", "line 2: .*prose goes in"),
        ("Ann: hit bob\n((so there", "line 2: what begins here is never closed"),
        ("[quote]Ann: hit bob", "line 1: what begins here is never closed"),
        ("al: hit bob\n-- \nann: hit bob", "line 3: this order stands under the mark of a signature"),
        ("ann: htt bob", "line 1: 'htt' is not an order"),
    ],
)
def test_what_may_be_an_order_that_went_wrong_is_refused_with_its_line(post: str, says: str) -> None:
    with pytest.raises(SheetRefused, match=says):
        orders_in_post(table(), post)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    return open_table(at_the_table(tmp_path, monkeypatch), 'orders = "sealed"')


def test_the_answer_to_a_post_has_canonical_text_and_receipts(run: Run) -> None:
    post = "[b]Ann[/b]: HIT bob\n1. Al: hit ben :)\n"
    told = run("orders", "b", "-", "--seat", "red", "--from-post", "--final", given=post).stdout
    assert "receipt  ann: hit bob (salt " in told
    assert "receipt of red for all 2: " in told
    assert "the orders of red for t1/blows are final" in told
    listed = json.loads(run("receipts", "b", "--as", "red", "--json").stdout)
    assert [each["text"] for each in listed] == ["ann: hit bob", "al: hit ben"]
    assert all(each["digest"] in told and each["salt"] in told for each in listed)


def test_a_stale_post_is_given_back_whole(run: Run) -> None:
    post = "Ann: hit bob\nOOC: hello\n"
    refused = run("orders", "b", "-", "--seat", "red", "--from-post", "--phase", "t0/blows", given=post)
    assert refused.exit_code == 1
    assert post in refused.stdout
    assert refused.stderr.startswith("wardiary: STALE_PHASE")


def test_who_sits_where_and_what_has_come_in_is_told(run: Run) -> None:
    run("seat", "b", "red", "--player", "Ann")
    run("order", "b", "red", "ann: hit bob")
    run("standing", "b", "blue", "-", given="bob: hit ann")
    red, blue = run("seat", "b").stdout.splitlines()
    assert "Ann; orders submitted: 1" in red
    assert "nobody named; orders submitted: 0, standing orders" in blue
    assert run("seat", "b", "red").exit_code == 2
    assert run("order", "b", "red").exit_code == 2
