"""What each viewer sees of a battle: properties over battles as they come, corrected and branched ones too."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.adjudication.readjudicate import Readjudicator
from engine.corrections.plan import plan
from engine.corrections.request import CorrectionRequest
from engine.rules.rule_set import Scenario
from events.catalogue import write
from events.errors import DiaryError
from events.facts import Declared, Ordered, Posted, Sealed, Withheld
from events.store.log import Log
from events.store.memory import MemoryLog
from projections.battle_state import PendingOrder
from projections.viewer import SPECTATOR, Viewer, ViewerUnknown, read_viewer, redact
from replays.audit.verify import verify
from replays.lines import adopted
from replays.seek import replay, steps
from replays.seen import SeenLog, seen_by
from tests.by_command import hand_in, leave_standing, note_privately, take_seat
from tests.canary import CanaryToy
from tests.table import Table, apply_correction, branch, open_battle

RED, BLUE = Viewer("seat", "red"), Viewer("seat", "blue")
TURN_LATE = Viewer("commentator", delay=1)
RULES = CanaryToy()
FOLD = RULES.fold()
PIECES = {"red": ("ann", "al"), "blue": ("bob", "ben")}


def table(monkeypatch: pytest.MonkeyPatch | None = None, **options: str) -> Table:
    scenario = Scenario(
        "A toy fight", "toy", {"red": "Red", "blue": "Blue"}, dict(options),
        rest={seat: list(pieces) for seat, pieces in PIECES.items()},
    )  # fmt: skip
    log = MemoryLog()
    open_battle(log, "b", scenario, rules=RULES)
    return Table(log, "b", RULES)


seats = st.sampled_from(["red", "blue"])
deeds = st.one_of(
    st.tuples(st.just("order"), seats, st.integers(0, 1), st.sampled_from(["hit", "chant one", "chant two"])),
    st.tuples(st.sampled_from(["next", "undo", "strike", "stand", "note", "late", "branch", "seat", "final"]), seats),
)


def do(battle: Table, deed: tuple[Any, ...], number: int) -> Table:
    """Do one thing at the table; what is refused is not done. A correction leads to a new line."""
    what, seat = deed[:2]
    other = "blue" if seat == "red" else "red"
    try:
        match what:
            case "order":
                words = deed[3] if deed[3] != "hit" else f"hit {PIECES[other][0]}"
                battle.order(seat, f"{PIECES[seat][deed[2]]}: {words}")
            case "next":
                battle.proceed()
            case "undo" | "strike":
                record = list(battle.log.records(battle.line, 9))
                targets = () if what == "undo" else tuple(each.seq for each in record if each.actor == seat)[:1]
                line = apply_correction(
                    battle, plan(battle, CorrectionRequest(what, targets, "referee", "why", "keep"))
                )
                return Table(battle.log, "b", RULES, line.name)
            case "stand":
                leave_standing(battle, seat, f"{PIECES[seat][0]}: hit {PIECES[other][0]}")
            case "note":
                note_privately(battle, seat, [other] if number % 2 else [], f"secret of {seat} {number}")
            case "late" | "final":
                if what == "late":
                    hand_in(battle, seat, f"{PIECES[seat][1]}: chant late", late=True)
                else:
                    hand_in(battle, seat, "", mark="final")
            case "branch":
                made = Table(battle.log, "b", RULES, branch(battle, f"w{number}", battle.seq, seat, "why").name)
                made.order(seat, f"{PIECES[seat][0]}: chant what if")
                made.proceed()
            case "seat":
                take_seat(battle, seat, f"player {number}", was="somebody")
    except DiaryError:
        battle.refresh()
    return battle


def played(option: str, done: list[tuple[Any, ...]]) -> Table:
    battle = table(orders=option)
    for number, deed in enumerate(done):
        battle = do(battle, deed, number)
    return battle


battles = st.builds(played, st.sampled_from(["open", "sealed"]), st.lists(deeds, max_size=16))


def facts(log: Log) -> set[tuple[str, int, str]]:
    """Everything that a copy tells: what stands where on which line."""
    lines = {line.name: line for line in log.lines("b")}
    own = {(record.line, record.seq, record.body) for line in lines.values() for record in log.records(line)}
    return own | {(line.name, 0, str(line.why)) for line in lines.values()}


def implied(log: Log) -> set[tuple[str, int, str]]:
    """What follows from what somebody sees: whoever knows an order knows that there is one."""
    read = FOLD.catalogue.read
    return facts(log) | {
        (
            record.line,
            record.seq,
            write(redact(SPECTATOR, read(record.body), is_secret=lambda seq, words: True)).decode(),
        )
        for line in log.lines("b")
        for record in log.records(line)
    }


@settings(max_examples=40)
@given(battles)
def test_l46_a_spectator_sees_no_more_than_every_seat_sees(battle: Table) -> None:
    red, blue = (implied(seen_by(battle.log, FOLD, "b", viewer)) for viewer in (RED, BLUE))
    assert facts(seen_by(battle.log, FOLD, "b", SPECTATOR)) <= red & blue


@settings(max_examples=40)
@given(battles, st.sampled_from([RED, BLUE, SPECTATOR, TURN_LATE, Viewer("spectator", delay=1)]))
def test_every_copy_is_a_record_that_holds(battle: Table, viewer: Viewer) -> None:
    seen = seen_by(battle.log, FOLD, "b", viewer)
    assert verify(seen, "b").events == sum(1 for line in seen.lines("b") for _ in seen.records(line, line.after))
    for line in seen.lines("b"):
        replay(seen, FOLD, line)
    if not viewer.delay:
        assert adopted(seen, "b").name == adopted(battle.log, "b").name


@settings(max_examples=40)
@given(battles, st.sampled_from([RED, SPECTATOR]))
def test_what_is_seen_keeps_its_number_and_its_line(battle: Table, viewer: Viewer) -> None:
    seen = seen_by(battle.log, FOLD, "b", viewer)
    assert isinstance(seen, SeenLog)
    for line in seen.lines("b"):
        true = [record.seq for record in battle.log.records(battle.log.line("b", line.name))]
        assert [record.seq for record in seen.records(line)] == true[: seen.head(line).seq]


@settings(max_examples=40)
@given(battles)
def test_l82_on_its_own_what_if_a_seat_sees_no_order_that_was_secret_when_it_was_asked(battle: Table) -> None:
    with suppress(DiaryError):  # what it does not know, and learns when the act begins
        battle.order("blue", "bob: chant unheard")
    branch(battle, "asked", battle.seq, "red", "why")
    with suppress(DiaryError):
        battle.proceed()
    for line in battle.log.lines("b"):
        if line.played or line.actor != "red":
            continue
        there = seen_by(battle.log, FOLD, "b", RED, line.name)
        verify(there, "b")
        here = list(steps(battle.log, FOLD, battle.log.line("b", line.parent or ""), 0, line.after))
        orders = [(each.event, each.record) for each in here if isinstance(each.event, Ordered | Declared)]
        for waiting in here[-1].after.table.orders:
            wanted = ("blue", waiting.slot, waiting.text)
            given_at = [record for order, record in orders if (order.seat, order.slot, order.text) == wanted]
            if given_at and given_at[-1].act > 1:
                seq = given_at[-1].seq
                assert next(there.records(there.line("b", line.name), seq - 1, seq)).type == "order.withheld"


@settings(max_examples=40)
@given(battles)
def test_l48_a_seat_sees_all_that_it_did_and_all_that_was_rolled(battle: Table) -> None:
    seen = seen_by(battle.log, FOLD, "b", RED)
    for line in seen.lines("b"):
        true, shown = battle.log.records(battle.log.line("b", line.name)), seen.records(line)
        for one, other in zip(true, shown, strict=True):
            if one.actor == "red" or one.kind in ("roll", "outcome", "clock"):
                assert one.body == other.body


@settings(max_examples=40)
@given(battles)
def test_a_sealed_battle_needs_no_redaction_but_for_others_what_ifs(battle: Table) -> None:
    for viewer in (RED, SPECTATOR):
        if battle.state.table.options["orders"] == "sealed":
            seen = seen_by(battle.log, FOLD, "b", viewer)
            hidden = [line for line in battle.log.lines("b") if not line.played]
            assert isinstance(seen, SeenLog)
            held = any("ruling.held" in body for _, _, body in facts(battle.log))
            assert seen.exact or hidden or held


@settings(max_examples=40)
@given(battles)
def test_what_a_seat_sees_is_judged_the_same(battle: Table) -> None:
    line = adopted(battle.log, "b")
    seen = seen_by(battle.log, FOLD, "b", RED)
    if all(each.played for each in battle.log.lines("b")):
        Readjudicator(battle.log, line, RULES).run()
        Readjudicator(seen, seen.line("b", line.name), RULES).run()


@settings(max_examples=40)
@given(battles, st.sampled_from([RED, BLUE, SPECTATOR]))
def test_a_state_shows_no_order_of_another_seat(battle: Table, viewer: Viewer) -> None:
    for order in battle.view.seen_by(viewer).last_state.table.orders:
        assert order.seat == viewer.seat or not order.text
    assert battle.view.last_state == battle.state


def test_l51_a_commentator_sees_everything_up_to_the_turn_before(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = table()
    battle.order("red", "ann: chant alpha")
    battle.order("red", "ann: chant beta")
    battle.proceed()
    battle.order("blue", "bob: chant gamma")
    seen = seen_by(battle.log, FOLD, "b", TURN_LATE)
    told = [step.event for step in steps(seen, FOLD, seen.line("b"))]
    assert [each.text for each in told if isinstance(each, Ordered)] == []
    assert {text for each in told if "chant" in (text := getattr(each, "text", ""))} >= {"ann: chant alpha"}
    assert not [each for each in told if getattr(each, "seat", "") == "blue" and hasattr(each, "text")]
    assert seen.head(seen.line("b")).seq < battle.seq
    battle.proceed()
    assert "gamma" in str(facts(seen_by(battle.log, FOLD, "b", TURN_LATE)))


def test_a_replaced_order_comes_out_with_the_act_that_would_have_used_it() -> None:
    battle = table()
    battle.order("red", "ann: hit bob")
    battle.order("red", "ann: hit ben")
    assert "hit" not in str(facts(seen_by(battle.log, FOLD, "b", BLUE)))
    battle.proceed()
    assert "ann: hit bob" in str(facts(seen_by(battle.log, FOLD, "b", BLUE)))


def test_an_order_that_was_seen_before_an_undo_stays_seen() -> None:
    battle = table()
    battle.order("blue", "bob: hit ann")
    battle.proceed()
    line = apply_correction(battle, plan(battle, CorrectionRequest("undo", (), "referee", "why", "keep")))
    seen = seen_by(battle.log, FOLD, "b", RED)
    texts = [order.text for order in replay(seen, FOLD, seen.line("b", line.name)).table.orders]
    assert texts == ["bob: hit ann"]


def test_a_seat_opens_its_own_seals_and_nobody_elses() -> None:
    battle = table(orders="sealed")
    battle.order("blue", "bob: hit ann")
    (order,) = battle.state.table.orders
    for viewer, opens in ((BLUE, True), (RED, False), (SPECTATOR, False), (TURN_LATE, False)):
        assert (seen_by(battle.log, FOLD, "b", viewer).secret(order.digest) is not None) == opens


def test_a_digest_of_the_record_by_which_a_secret_could_be_tried_out_is_not_shown() -> None:
    battle = table()
    head = battle.log.head(battle.line)
    battle.say("referee", Posted(1, "mail", "spectator", head.seq, head.hash))
    battle.order("blue", "bob: hit ann")
    secret = battle.log.head(battle.line)
    battle.say("referee", Posted(1, "mail", "spectator", secret.seq, secret.hash))
    seen = seen_by(battle.log, FOLD, "b", RED)
    posted = [step.event for step in steps(seen, FOLD, seen.line("b")) if isinstance(step.event, Posted)]
    assert [each.head for each in posted] == [head.hash, ""]
    assert secret.hash not in str(facts(seen))


def test_a_copied_digest_opens_nothing() -> None:
    from tests.by_command import hand_in_digest

    battle = table(orders="sealed")
    battle.order("blue", "bob: hit ann")
    with pytest.raises(DiaryError, match="given before"):
        hand_in_digest(battle, "red", battle.state.table.orders[0].digest)


def test_a_hidden_order_shows_whose_it_is_and_nothing_else() -> None:
    order = Ordered("blue", "bob", "blows", "bob: hit ann")
    assert redact(RED, order) == Withheld("blue")
    assert redact(BLUE, order) is order


def test_a_sealed_order_tells_neither_piece_nor_slot() -> None:
    battle = table(orders="sealed")
    battle.order("blue", "bob: hit ann")
    (order,) = battle.state.table.orders
    assert order == PendingOrder("blue", "", "", "", order.digest)
    assert isinstance(list(steps(battle.log, FOLD, battle.line))[-1].event, Sealed)


@pytest.mark.parametrize("text", ["", "green", "referee/1", "red/x", "red/-1", "commentator/", "/1", "red/9999999"])
def test_nobody_looks_under_another_name(text: str) -> None:
    with pytest.raises(ViewerUnknown):
        read_viewer(text, ["red", "blue"])


@pytest.mark.parametrize(
    "text", ["red", "red/2", "referee", "spectator", "spectator/1", "commentator/1", "commentator/3"]
)
def test_a_viewer_is_written_as_it_is_read(text: str) -> None:
    assert str(read_viewer(text, ["red", "blue"])) == text
