"""Disputes that other programs and leagues have had, each tried on the command line: who may undo what, which dice."""

from __future__ import annotations

from pathlib import Path

import pytest
from freezegun import freeze_time
from msgspec.structs import replace

from events.facts import RollCalled
from tests.toy import ToyRules
from tests.toy_desk import Desk
from tests.toy_table import SealedToy

WHY = ("--why", "a slip", "--dice", "keep")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, ToyRules(), monkeypatch)


@pytest.fixture
def sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, SealedToy(), monkeypatch)


def test_l01_whether_an_undo_is_possible_is_told_beforehand(desk: Desk) -> None:
    desk.new(corrections="before-dice")
    desk.run("order", "b", "red", "ann: hit bob")
    order = desk.seq_of("order.given")
    assert "yes" in desk.run("may", "b", "red", order)
    desk.run("next", "b")
    told = desk.refused("may", "b", "red", order)
    assert "dice-after" in told
    assert f"event {desk.seq_of('roll.rolled')}" in told
    desk.run("may", "b", "referee", order)
    assert "Missing option '--dice'" in desk.refused("undo", "b", order - 1, "--why", "x", code=2)


def test_l02_nobody_undoes_what_somebody_else_did(desk: Desk) -> None:
    desk.new(corrections="free")
    desk.orders()
    before = desk.heads()
    assert "not an order of blue" in desk.refused("undo", "b", 7, *WHY, "--seat", "blue")
    assert "not an order of blue" in desk.refused("strike", "b", desk.seq_of("order.given"), *WHY, "--seat", "blue")
    assert desk.heads() == before


def test_l02_an_undo_takes_nothing_of_another_seat_with_it(desk: Desk) -> None:
    desk.new(corrections="free")
    desk.orders()
    own = desk.seq_of("order.given")
    assert "of blue back, too" in desk.refused("undo", "b", own - 1, *WHY, "--seat", "red")
    desk.run("strike", "b", own, *WHY, "--seat", "red")
    assert [each["text"] for each in desk.state()["table"]["orders"]] == ["al: hit bob", "bob: hit ann", "ben: hit al"]


def test_l03_undo_and_its_undoing_are_in_the_log_and_change_no_event(desk: Desk) -> None:
    desk.new()
    desk.turn()
    before, field = desk.events(), desk.run("show", "b").splitlines()[-1]
    desk.run("undo", "b", *WHY)
    assert desk.state()["table"]["turn"] == 1
    desk.run("adopt", "b", "--why", "the undo was the slip")
    assert desk.events(line="main")[: len(before)] == before
    assert desk.run("show", "b").splitlines()[-1] == field
    told = desk.run("log", "b", "--line", "main.2") + desk.run("log", "b")
    assert "(undo, dice: keep)" in told
    assert "(adopt, dice: keep)" in told
    desk.run("verify", "b", "--adjudicate")


def test_l04_what_has_been_seen_is_not_undone_and_is_told_ever_after(sealed: Desk) -> None:
    sealed.new(corrections="free")
    sealed.orders()
    mine = sealed.seq_of("order.sealed", 1)
    sealed.run("next", "b")
    assert "has shown red the sealed order of" in sealed.refused("may", "b", "red", mine, "--what", "strike")
    sealed.run("strike", "b", mine, *WHY)
    seen = "taken back, but seen: red has seen the sealed order of bob"
    assert seen in sealed.run("show", "b")
    assert "red has seen" in sealed.run("log", "b", "--kind", "ruling")
    sealed.run("undo", "b", *WHY)
    assert seen in sealed.run("show", "b")


def test_l06_a_forgotten_penalty_keeps_the_dice_or_throws_them_anew(desk: Desk) -> None:
    desk.new(by_hand=("red",))
    desk.turn({"red": "ann: hit bob"})
    desk.run("roll", "b", "t1/hit/ann>bob", "--faces", 4)
    roll = desk.seq_of("roll.rolled")
    told = desk.run("amend", "b", roll, "--modifier", "+1 smoke", "--why", "forgotten", "--dice", "keep")
    assert "rolled 4 = 4 >= 4: yes" in told
    assert "rolled 4 = 4 >= 5: no" in told
    assert "gone bob is wounded by ann" in told
    assert desk.faces()["t1/hit/ann>bob"] == [4]
    desk.run("adopt", "b", "main", "--why", "the other camp", "--dice", "keep")
    desk.run("amend", "b", roll, "--modifier", "+1 smoke", "--why", "forgotten", "--dice", "reroll-act")
    assert "t1/hit/ann>bob" in desk.run("roll", "b")  # red throws by hand: the table waits for a new throw
    assert "dice: reroll-act" in desk.run("log", "b", "--kind", "ruling")
    desk.run("verify", "b", "--adjudicate")


def test_l07_everybody_who_follows_the_record_stands_at_the_same_state(desk: Desk, tmp_path: Path) -> None:
    desk.new()
    desk.turn()
    desk.turn()
    for verb in ("undo", "undo", "adopt"):
        desk.run(verb, "b", "--why", "to and fro", "--dice", "keep")
        desk.run("export", "b", tmp_path / "copy")
        other = tmp_path / "other.db"
        other.unlink(missing_ok=True)
        desk.run("import", tmp_path / "copy", "--db", other)
        assert desk.data("show", "b", "--db", other) == desk.data("show", "b")


def test_l08_after_any_undo_the_battle_goes_on_as_it_went(desk: Desk) -> None:
    desk.new()
    desk.turn()
    desk.turn()
    faces, field = desk.faces(), desk.state()["health"]
    for seq in range(desk.seq_of("clock.turn_began", 1), desk.seq_of("clock.turn_began", 2)):
        desk.run("undo", "b", seq, *WHY)
        desk.orders()
        desk.run("next", "b")
        assert (desk.faces(), desk.state()["health"]) == (faces, field)
        desk.run("adopt", "b", "main", "--why", "back to where it was")


@pytest.mark.parametrize(("policy", "anew"), [("stand", 0), ("keep", 0), ("reroll-act", 1), ("reroll-phase", 4)])
def test_l09_each_league_rule_says_which_dice_are_thrown_again(desk: Desk, policy: str, anew: int) -> None:
    desk.new()
    desk.turn()
    old = desk.faces()
    desk.run("amend", "b", desk.seq_of("roll.rolled", 1), "--modifier", "+1 hill", "--why", "x", "--dice", policy)
    bodies = [each["body"] for each in desk.events() if each["body"]["type"] == "roll.rolled"]
    line = desk.events()[-1]["line"]
    assert len([each for each in bodies if each["source"] == "seeded"]) == (anew if line != "main" else 4)
    if policy in ("stand", "keep"):
        assert desk.faces() == old
    assert ("stands as it is" in desk.run("log", "b", "--kind", "ruling")) == (policy == "stand")


def test_l09_a_piece_used_twice_voids_both_acts_and_no_other(desk: Desk) -> None:
    desk.new()
    desk.orders({"red": "ann: hit bob\nal: hit bob", "blue": "bob: hit ann"})
    desk.run("order", "b", "red", "ann: curse ben")
    desk.run("rule", "b", "curse/ben", "yes")
    desk.run("next", "b")
    told = desk.run("strike", "b", "--shared", "ann", "--turn", 1, "--why", "promised twice", "--dice", "keep")
    assert "gone red orders: ann: hit bob" in told
    assert "gone red declares: ann: curse ben" in told
    assert set(desk.faces()) == {"t1/hit/al>bob", "t1/hit/bob>ann"}
    assert "was not used twice in turn 1" in desk.refused("strike", "b", "--shared", "al", "--turn", 1, *WHY)


@pytest.mark.parametrize(("lapse", "then"), [("turn", "turn"), ("act", "next"), ("other", "order")])
def test_l09_the_right_to_correct_lapses_unless_the_referee_overrides_it(desk: Desk, lapse: str, then: str) -> None:
    desk.new(corrections="free", corrections_lapse=lapse)
    desk.run("order", "b", "red", "ann: hit bob")
    order = desk.seq_of("order.given")
    desk.run("may", "b", "red", order, "--what", "strike")
    if then == "order":
        desk.run("order", "b", "blue", "bob: hit ann")
    else:
        desk.run("next", "b")
    assert "lapsed" in desk.refused("may", "b", "red", order, "--what", "strike")
    assert "--override" in desk.refused("strike", "b", order, *WHY)
    desk.run("strike", "b", order, *WHY, "--override")
    assert "overridden" in desk.run("log", "b", "--kind", "ruling")


def test_l09_a_time_limit_runs_by_the_clock(desk: Desk) -> None:
    desk.new(corrections="free", corrections_hours="24")
    with freeze_time("2026-03-01 18:00:00"):
        desk.run("order", "b", "red", "ann: hit bob")
    order = desk.seq_of("order.given")
    with freeze_time("2026-03-02 18:00:00"):
        desk.run("may", "b", "red", order)
    with freeze_time("2026-03-02 18:00:01"):
        assert "24 hours" in desk.refused("may", "b", "red", order)


def test_l10_surplus_dice_are_set_aside_and_shown_and_missing_ones_asked_for(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = pool_rules(monkeypatch)
    desk.install(pool)
    desk.new(by_hand=("red",))
    desk.turn({"red": "ann: hit bob"})
    assert "waiting for red to roll 5d6" in desk.run("roll", "b")
    desk.run("roll", "b", "t1/hit/ann>bob", "--faces", "3 1 6")
    assert "of which 3, 1, 6 are entered" in desk.run("roll", "b")
    assert "enter the other 2" in desk.refused("roll", "b", "--draw")
    told = desk.run("roll", "b", "t1/hit/ann>bob", "--faces", "6 2 5 5")
    assert "rolled 3, 1, 6, 6, 2 = 18" in told
    assert "[surplus, set aside: 5, 5]" in told
    rolled = next(each["body"] for each in desk.events() if each["body"]["type"] == "roll.rolled")
    assert (rolled["faces"], rolled["surplus"]) == ([3, 1, 6, 6, 2], [5, 5])
    desk.run("verify", "b", "--adjudicate")
    desk.run("undo", "b", *WHY)  # the last throw alone is taken back
    assert "of which 3, 1, 6 are entered" in desk.run("roll", "b")


def pool_rules(monkeypatch: pytest.MonkeyPatch) -> ToyRules:
    """Toy rules whose blows are struck with five dice."""
    monkeypatch.setattr("tests.toy.RollCalled", lambda *fields: replace(RollCalled(*fields), dice="5d6"))
    return ToyRules()


def test_l11_a_what_if_tells_nothing_of_the_coming_dice_and_no_file_holds_them(desk: Desk, tmp_path: Path) -> None:
    from events.store.sqlite import SqliteLog

    desk.new()
    desk.orders()
    what_ifs = []
    for number in range(8):
        desk.run("branch", "b", f"w{number}", "--why", "peek")
        desk.run("next", "b", "--line", f"w{number}")
        what_ifs.append(tuple(map(tuple, desk.faces(f"w{number}").values())))
    desk.run("next", "b")
    assert len({*what_ifs, tuple(map(tuple, desk.faces().values()))}) > 5  # 1 296 ways to fall; all alike would be one
    desk.run("export", "b", tmp_path / "copy")
    copy = (tmp_path / "copy").read_text()
    committed = [each["body"]["root"] for each in desk.events() if each["body"]["type"] == "table.dice_committed"]
    with SqliteLog(desk.db, read_only=True) as log:
        roots = [log.secret(each) for each in committed]
    assert all(root and root not in copy for root in roots)


def test_l12_the_words_of_an_order_go_into_its_dice_and_a_preview_shows_others(desk: Desk) -> None:
    desk.new()
    desk.orders()
    order = desk.seq_of("order.given")
    desk.run("next", "b")
    preview = ("amend", "b", order, "--text", "ann: hit ben", *WHY, "--preview", "--json")
    shown = {str(desk.data(*preview[:-1])["change"]["rows"]) for _ in range(12)}
    assert len(shown) > 1  # nobody can look at one and sign it
    assert "a preview shows other dice than the ruling will" in desk.run(*preview[:-1])


def test_l14_moving_and_taking_back_only_makes_the_record_longer(desk: Desk) -> None:
    desk.new()
    before = 0
    for _ in range(10):
        desk.run("order", "b", "red", "ann: hit bob")
        desk.run("undo", "b", *WHY)
        now = sum(each["own"] for each in desk.data("lines", "b"))
        assert now > before
        before = now
    assert desk.state()["table"]["orders"] == []
    desk.run("verify", "b", "--adjudicate")


def test_no_player_fishes_for_better_dice_by_putting_an_order_right(desk: Desk) -> None:
    desk.new(corrections="free")
    desk.turn()
    order = desk.seq_of("order.given")
    again = ("amend", "b", order, "--text", "ann: hit bob", "--why", "x", "--seat", "red", "--dice")
    assert "only the referee may have dice rerolled" in desk.refused(*again, "reroll-act")
    faces = desk.faces()
    desk.run(*again, "keep")
    assert desk.faces() == faces


def test_l13_a_roll_that_was_taken_back_stays_in_the_record(desk: Desk) -> None:
    desk.new()
    desk.turn()
    rolled = desk.bodies("roll.rolled")
    desk.run("undo", "b", *WHY)
    assert desk.bodies("roll.rolled") == []
    assert desk.bodies("roll.rolled", line="main") == rolled
    assert desk.data("verify", "b")["proved"] == len(rolled)


def test_consent_is_asked_for_given_and_used_and_other_requests_end_in_sight(desk: Desk) -> None:
    desk.new(corrections="consent")
    desk.orders()
    ann, bob = desk.seq_of("order.given", 0), desk.seq_of("order.given", 2)
    assert "blue must consent" in desk.refused("strike", "b", ann, *WHY, "--seat", "red")
    desk.run("ask", "b", "red", "strike", ann, "--why", "wrong target")
    desk.run("ask", "b", "blue", "strike", bob, "--why", "me too")
    assert "no request 1 waits for red" in desk.refused("consent", "b", "red", 1)
    desk.run("consent", "b", "blue", 1)
    desk.run("strike", "b", ann, *WHY, "--seat", "red")
    told = desk.run("log", "b", "--kind", "ruling")
    assert "request no. 2 of blue ends with the line" in told
    assert "request no. 1" not in told
    assert [each["text"] for each in desk.state()["table"]["orders"]] == ["al: hit bob", "bob: hit ann", "ben: hit al"]
    al = desk.seq_of("order.given")
    desk.run("ask", "b", "red", "strike", al, "--why", "again")
    desk.run("consent", "b", "blue", 1, "--refuse")
    assert "needs-consent" in desk.refused("may", "b", "red", al, "--what", "strike")


def test_the_referee_can_consent_where_only_the_referee_puts_things_right(desk: Desk) -> None:
    desk.new()
    desk.run("order", "b", "red", "ann: hit bob")
    order = desk.seq_of("order.given")
    assert "referee-only" in desk.refused("may", "b", "red", order)
    desk.run("ask", "b", "red", "strike", order, "--why", "wrong target")
    desk.run("consent", "b", "referee", 1)
    desk.run("strike", "b", order, *WHY, "--seat", "red")
    assert desk.state()["table"]["orders"] == []
