"""Lines: exploring leaves the battle alone, a line is promoted by ruling, what-ifs know only what was known."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.toy import ToyRules
from tests.toy_desk import SHEET, Desk
from tests.toy_table import SealedToy


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, ToyRules(), monkeypatch)


@pytest.fixture
def sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, SealedToy(), monkeypatch)


def test_l80_a_tree_of_lines_is_exported_imported_and_promoted_by_ruling(desk: Desk) -> None:
    desk.new()
    desk.turn()
    desk.run("branch", "b", "bold", "--at", "t1", "--why", "bold")
    desk.turn({"red": "ann: hit ben"}, line="bold")
    desk.run("branch", "b", "bolder", "--line", "bold", "--why", "bolder")
    desk.turn({"red": "al: hit ben"}, line="bolder")
    desk.run("undo", "b", "--line", "bolder", "--why", "no", "--dice", "keep")
    before = desk.heads()
    desk.run("adopt", "b", "bold", "--why", "let us have it so")
    assert {name: desk.heads()[name] for name in before if name != "main"} == {
        name: head for name, head in before.items() if name != "main"
    }
    standing = {each["name"]: each["standing"] for each in desk.data("lines", "b")}
    assert standing == {
        "main": "superseded", "bold": "NOT PLAYED", "bolder": "NOT PLAYED", "bolder.2": "NOT PLAYED",
        "main.2": "in force",
    }  # fmt: skip
    told = desk.run("export", "b", desk.folder / "copy")
    assert f"b: {desk.data('verify', 'b')['events']} events written" in told
    other = desk.folder / "other.db"
    desk.run("import", desk.folder / "copy", "--db", other)
    assert desk.data("lines", "b", "--db", other) == desk.data("lines", "b")
    desk.run("verify", "b", "--adjudicate", "--db", other)
    desk.run("order", "b", "red", "ann: hit bob", "--db", other)
    desk.refused("next", "b", "--db", other)  # nobody rolls here without the root of the dice
    desk.run("recommit", "b", "--why", "another keeper", "--without", "red", "--without", "blue", "--db", other)
    desk.run("next", "b", "--db", other)
    desk.run("verify", "b", "--adjudicate", "--db", other)


def test_l81_exploring_leaves_the_battle_alone_and_is_marked_in_every_output(desk: Desk) -> None:
    desk.new()
    desk.turn()
    before = desk.events()
    desk.run("branch", "b", "dream", "--why", "dream")
    length = 0
    while length < 200:
        desk.run("fact", "b", "bob: health 3", "--why", "dream on", "--line", "dream")
        desk.turn({"red": SHEET["red"]}, line="dream")
        length = desk.events(line="dream")[-1]["seq"]
    assert desk.events() == before
    order = desk.seq_of("order.given", -1, line="dream")
    for words in (
        ["show", "b"],
        ["log", "b"],
        ["explain", "b", order],
        ["order", "b", "red", "ann: hit bob"],
        ["next", "b"],
        ["note", "b", "hm"],
        ["undo", "b", "--why", "x", "--dice", "keep", "--preview"],
        ["strike", "b", order, "--why", "x", "--dice", "keep"],
    ):
        assert "NOT PLAYED" in desk.run(*words, "--line", "dream"), words
    for shown in (desk.run("lines", "b"), desk.run("compare", "b", "main", "dream")):
        assert "NOT PLAYED" in shown
    assert desk.data("show", "b", "--line", "dream")["played"] is False
    assert desk.events(line="dream")[-1]["played"] is False


def test_l82_a_what_if_of_a_seat_holds_no_order_that_the_seat_does_not_know(sealed: Desk) -> None:
    sealed.new()
    sealed.orders()
    point = sealed.events()[-1]["seq"]
    sealed.run("next", "b")  # by now everybody knows everything; the line goes back to before
    told = sealed.run("branch", "b", "mine", "--at", point, "--as", "blue", "--why", "what did I know?")
    assert "those that blue cannot know are not on the line" in told
    assert [each["piece"] for each in sealed.state("--line", "mine")["table"]["orders"]] == ["bob", "ben"]
    sealed.run("next", "b", "--line", "mine")
    assert "ann: hit" not in sealed.run("log", "b", "--line", "mine")
    assert "bob: hit ann" in sealed.run("log", "b", "--line", "mine")
    sealed.run("verify", "b", "--adjudicate")


def test_l82_a_seat_sees_on_its_what_if_what_it_knew_there_even_if_it_has_learnt_more(desk: Desk) -> None:
    desk.new()
    desk.turn()
    desk.orders({"red": "ann: hit ben\nal: hit ben", "blue": SHEET["blue"]})
    point = desk.events()[-1]["seq"]
    desk.run("next", "b")
    asked = ("--as", "blue")
    desk.run("branch", "b", "mine", "--at", point, *asked, "--why", "what did I know?")
    desk.run("next", "b", "--line", "mine")
    mine = ("--line", "mine", *asked)
    now, then = desk.events(*asked), desk.events(*mine)
    assert [each["seq"] for each in now if each["body"]["type"] == "order.withheld"] == []
    hidden = [each["seq"] for each in then if each["body"]["type"] == "order.withheld"]
    assert [now[seq - 1]["body"]["piece"] for seq in hidden] == ["ann", "al"]
    assert min(hidden) > desk.seq_of("clock.turn_began", 1)  # the orders of the turn before were known
    for words in (
        ["show", "b", *mine, "--json"], ["explain", "b", hidden[0], *mine], ["replay", "b", *mine],
        ["receipts", "b", *mine], ["post", "b", "--for", "mail", "--turn", "2", "--preview", *mine],
    ):  # fmt: skip
        assert "hit ben" not in desk.run(*words), words
    assert "ann: hit ben" in desk.run("replay", "b", "--line", "mine")


def test_a_what_if_that_leaves_amid_an_act_goes_on_with_it_and_is_judged(desk: Desk) -> None:
    desk.new()
    desk.run("branch", "b", "first", "--at", desk.events()[-1]["seq"])
    assert "the opening of the battle" in desk.refused("branch", "b", "early", "--at", 3)
    for piece in ("ann", "al", "bob", "ben"):  # nobody falls, whatever the dice show
        desk.run("fact", "b", f"{piece}: health 9", "--why", "a long fight")
    begin = desk.events()[-1]["seq"]
    desk.run("order", "b", "red", "ann: curse bob")
    desk.run("rule", "b", "curse/bob", "yes")
    desk.turn()
    desk.orders()
    before, end = desk.faces(), desk.events()[-1]["seq"]
    for point in range(begin, end, 2):
        if point == desk.seq_of("order.declared"):
            assert f"leave before it, at {point - 1}" in desk.refused("branch", "b", "odd", "--at", point)
            continue
        desk.run("branch", "b", f"w{point}", "--at", point)
        table = desk.state("--line", f"w{point}")["table"]
        if table["asked"]:
            desk.run("rule", "b", "curse/bob", "no", "--line", f"w{point}")
        desk.run("next", "b", "--line", f"w{point}")
        faces = desk.faces(f"w{point}")
        shared = [each["body"]["key"] for each in desk.events()[:point] if each["body"]["type"] == "roll.rolled"]
        assert {key: faces[key] for key in shared} == {key: before[key] for key in shared}
    desk.run("verify", "b", "--adjudicate")


def test_a_what_if_opens_no_seal_that_the_battle_has_not_opened(sealed: Desk) -> None:
    sealed.new()
    sealed.orders()
    sealed.run("branch", "b", "peek", "--why", "peek")
    sealed.run("next", "b", "--line", "peek")
    assert "hit" not in sealed.run("log", "b", "--line", "peek", "--kind", "declaration")
    assert sealed.faces("peek") == {}
    point = sealed.events()[-1]["seq"]
    sealed.run("next", "b")
    sealed.run("branch", "b", "later", "--at", point, "--why", "now that they are open")
    sealed.run("next", "b", "--line", "later")
    assert set(sealed.faces("later")) == set(sealed.faces())


def test_no_ruling_tells_the_text_of_a_sealed_order(sealed: Desk) -> None:
    sealed.new()
    sealed.orders()
    ruling = ("--why", "x", "--dice", "keep")
    told = sealed.run("strike", "b", sealed.seq_of("order.sealed"), *ruling)
    told += sealed.run("amend", "b", sealed.seq_of("order.sealed"), "--text", "al: hit ben", *ruling)
    told += sealed.run("undo", "b", *ruling)
    sealed.run("fact", "b", "bob: health 0", "--why", "x")
    told += "".join(sealed.run("log", "b", "--line", name) for name in sealed.heads())
    assert "receipt" in told
    assert ": hit" not in told


def test_a_sealed_order_keeps_its_receipt_when_it_is_played_again(sealed: Desk) -> None:
    sealed.new()
    sealed.orders()
    sealed.run("next", "b")
    receipts = [each["digest"] for each in sealed.bodies("order.sealed")]
    told = sealed.run("strike", "b", sealed.seq_of("order.sealed", 0), "--why", "x", "--dice", "keep")
    assert receipts[1:] == [each["digest"] for each in sealed.bodies("order.sealed")]
    assert "was" not in told  # what stays is the same, receipts and reveals included
    sealed.run("verify", "b", "--adjudicate")


def test_two_what_ifs_compare_decisions_under_the_same_dice_wherever_they_leave(desk: Desk) -> None:
    desk.new()
    desk.turn()
    desk.run("branch", "b", "late", "--at", "t2", "--dice-of", "late")
    desk.run("branch", "b", "early", "--at", "t1", "--dice-of", "late")
    desk.turn({"red": "ann: hit bob"}, line="late")
    desk.turn({"red": "ann: hit ben"}, line="early")
    desk.turn({"red": "ann: hit bob"}, line="early")
    assert desk.faces("late")["t2/hit/ann>bob"] == desk.faces("early")["t2/hit/ann>bob"]
    desk.run("branch", "b", "alone", "--at", "t1")
    assert "are its own" in desk.refused("branch", "b", "other", "--at", "t1", "--dice-of", "alone")
    assert "letters, digits" in desk.refused("branch", "b", "main.9", "--at", "t1")
    desk.run("verify", "b", "--adjudicate")


def test_after_a_correction_that_waits_for_dice_everything_held_is_given_again_in_order(desk: Desk) -> None:
    desk.new(by_hand=("red",))
    desk.turn({"red": "ann: hit bob", "blue": "bob: hit ann"})
    desk.run("roll", "b", "t1/hit/ann>bob", "--faces", 2)
    desk.turn({"blue": "bob: hit ann"})
    desk.turn({"blue": "ben: hit ann"})
    told = desk.run("amend", "b", desk.seq_of("order.given"), "--text", "ann: hit ben", "--why", "x", "--dice", "keep")
    assert "then the battle waits for t1/hit/ann>ben" in told
    assert "no. 1" in desk.run("settle", "b")
    assert "cannot be given again" in desk.refused("settle", "b", "--again")
    desk.run("roll", "b", "t1/hit/ann>ben", "--faces", 2)
    desk.run("settle", "b", "--again", "--why", "in order")
    assert desk.run("settle", "b") == "nothing is deferred\n"
    assert desk.state()["table"]["turn"] == 4
    assert set(desk.faces()) == {"t1/hit/ann>ben", "t1/hit/bob>ann", "t2/hit/bob>ann", "t3/hit/ben>ann"}
    desk.run("verify", "b", "--adjudicate")


def test_a_line_that_was_put_right_refuses_another_correction_and_says_where_to_go(desk: Desk) -> None:
    desk.new()
    desk.turn()
    desk.run("undo", "b", "--why", "x", "--dice", "keep")
    for words in (["undo", "b"], ["strike", "b", 8]):
        told = desk.refused(*words, "--why", "x", "--dice", "keep", "--line", "main")
        assert "superseded by main.2" in told


def test_the_dice_of_a_line_that_was_put_right_can_all_be_proved(desk: Desk) -> None:
    desk.new()
    desk.orders()
    desk.run("order", "b", "red", "ann: curse bob")
    desk.run("rule", "b", "curse/bob", "yes")
    desk.run("next", "b", "--by-hand", "red")
    assert desk.data("verify", "b")["unrevealed"] > 0
    desk.run("undo", "b", "--why", "x", "--dice", "keep")
    assert desk.data("verify", "b")["unrevealed"] == 0


def test_an_undo_of_an_entered_die_lets_it_be_entered_again(desk: Desk) -> None:
    desk.new(by_hand=("red",))
    desk.turn({"red": "ann: hit bob\nal: hit bob"})
    desk.run("roll", "b", "t1/hit/ann>bob", "--faces", 2)
    desk.run("roll", "b", "t1/hit/al>bob", "--faces", 2)
    desk.run("undo", "b", "--why", "misread", "--dice", "keep")
    assert "t1/hit/al>bob" in desk.run("roll", "b")
    desk.run("roll", "b", "t1/hit/al>bob", "--faces", 5)
    assert desk.faces() == {"t1/hit/ann>bob": [2], "t1/hit/al>bob": [5]}
    desk.run("verify", "b", "--adjudicate")


def test_an_undo_goes_back_a_number_of_acts(desk: Desk) -> None:
    desk.new()
    desk.turn()
    desk.orders()
    for words in (["-2", "--preview"], ["--preview", "-2"]):
        assert "gone" in desk.run("undo", "b", *words, "--why", "x", "--dice", "keep")
    desk.run("undo", "b", "--why", "x", "--dice", "keep", "-2")
    assert [each["text"] for each in desk.bodies("order.given")][-1] == "al: hit bob"
    assert "the line has" in desk.refused("undo", "b", "-200", "--why", "x", "--dice", "keep")
    assert "No such option" in desk.refused("undo", "b", "--pre", "--why", "-2", "--dice", "keep", "--x", code=2)


def test_every_policy_is_told_as_json_and_a_preview_records_nothing(desk: Desk) -> None:
    desk.new()
    desk.turn()
    before, order = desk.heads(), desk.seq_of("order.given")
    for policy in ("stand", "keep", "reroll-act", "reroll-phase"):
        words = ("strike", "b", order, "--why", "x", "--dice", policy)
        preview = desk.data(*words, "--preview")
        assert preview["stands"] == [order] if policy == "stand" else preview["change"]["rows"]
        assert "nothing was recorded" in desk.run(*words, "--preview")
    assert desk.heads() == before
    desk.data("strike", "b", order, "--why", "x", "--dice", "stand")
    assert [each["about"] for each in desk.bodies("ruling.stood")] == [order]


def test_a_ruling_is_amended(desk: Desk) -> None:
    desk.new()
    desk.run("order", "b", "red", "ann: curse bob")
    desk.run("rule", "b", "curse/bob", "yes")
    given = desk.seq_of("ruling.given")
    assert "yes / no" in desk.refused("amend", "b", given, "--answer", "so so", "--why", "x", "--dice", "keep")
    desk.run("amend", "b", given, "--answer", "no", "--why", "he is immune", "--dice", "keep")
    assert desk.state()["health"]["bob"] == 3
    desk.run("verify", "b", "--adjudicate")


def test_a_chain_of_corrections_keeps_the_dice_that_the_first_one_kept(desk: Desk) -> None:
    desk.new()
    desk.turn()
    desk.turn()
    faces = desk.faces()
    first = desk.seq_of("order.given")
    desk.run("undo", "b", first - 1, "--why", "from the start", "--dice", "keep")
    desk.run("note", "b", "so")
    desk.run("undo", "b", first, "--why", "and again", "--dice", "keep")
    desk.turn()
    desk.turn()
    assert desk.faces() == faces
    desk.run("verify", "b", "--adjudicate")


def test_bookmarks_and_rulings_beside_the_record_go_along_with_what_they_name(desk: Desk) -> None:
    desk.new()
    desk.turn()
    desk.run("bookmark", "b", "bridge")
    old = desk.data("show", "b", "--at", "bridge")["seq"]
    desk.turn()
    desk.run("strike", "b", desk.seq_of("order.given", 1), "--why", "x", "--dice", "keep")
    new = desk.data("show", "b", "--at", "bridge")
    assert new["seq"] != old
    assert (new["state"]["table"]["turn"], desk.seq_of("table.bookmarked")) == (2, new["seq"] + 1)


def test_no_bookmark_takes_a_name_by_which_it_could_not_be_reached(desk: Desk) -> None:
    desk.new()
    for name in ("", "42", "head", "t3", "t1/move", "2026-03-01T19:30:00Z"):
        assert "choose another name" in desk.refused("bookmark", "b", name)
    desk.run("bookmark", "b", "the ford")
    assert desk.data("show", "b", "--at", "the ford")["seq"] == desk.seq_of("table.bookmarked") - 1


def test_a_battle_taken_over_within_a_turn_goes_on_with_dice_of_its_own_and_verifies(desk: Desk) -> None:
    desk.new()
    desk.orders({"red": "ann: hit bob", "blue": "bob: hit ann"})
    desk.run("next", "b", "--by-hand", "red")  # the die of blue has fallen, that of red is waited for
    desk.run("export", "b", desk.folder / "copy")
    there = ("--db", desk.folder / "there.db")
    desk.run("import", desk.folder / "copy", *there)
    desk.run("roll", "b", "t1/hit/ann>bob", "--faces", 3, *there)
    desk.run("order", "b", "blue", "bob: hit al", *there)
    desk.run("recommit", "b", "--why", "another keeper", "--without", "red", *there)
    assert "blue must give a new client seed" in desk.refused("next", "b", *there)
    desk.run("seed", "b", "blue", "a horse", *there)
    desk.run("next", "b", *there)
    desk.run("undo", "b", "--why", "x", "--dice", "keep", *there)
    found = desk.data("verify", "b", "--adjudicate", *there)
    assert found["lost"] == 1  # its secret is with the first keeper
    assert "lost: 1 rolls" in desk.run("verify", "b", *there)


def test_a_battle_played_by_many_processes_keeps_snapshots_on_every_line(desk: Desk) -> None:
    desk.new()
    for turn in range(24):
        desk.run("fact", "b", "bob: health 3", "--why", "again")
        desk.turn({"red": SHEET["red"]})
        if turn == 4:
            desk.run("undo", "b", "--why", "x", "--dice", "keep")
    assert [each["name"] for each in desk.data("lines", "b")] == ["main", "main.2"]
    with sqlite3.connect(desk.db) as db:
        kept = db.execute(
            "SELECT seq FROM snapshot JOIN line ON line.id = snapshot.line WHERE name = 'main.2'"
        ).fetchall()
    assert kept
    assert desk.data("settle", "b") == []


def test_orders_sealed_without_piece_or_slot_are_put_right_like_others(desk: Desk) -> None:
    desk.new(orders="sealed")
    desk.turn()
    old, ann = desk.faces(), desk.seq_of("order.sealed")
    assert "piece" not in {key for each in desk.bodies("order.sealed") for key, value in each.items() if value}
    desk.run("amend", "b", ann, "--text", "ann: hit bob", "--why", "x", "--dice", "reroll-act")
    sources = {each["key"]: each["source"] for each in desk.bodies("roll.rolled")}
    assert [key for key, source in sources.items() if source == "seeded"] == ["t1/hit/ann>bob"]
    assert {key: face for key, face in desk.faces().items() if "ann>" not in key} == {
        key: face for key, face in old.items() if "ann>" not in key
    }
    desk.run("undo", "b", "--why", "x", "--dice", "keep")
    desk.run("strike", "b", desk.seq_of("order.sealed"), "--why", "x", "--dice", "keep")
    desk.run("next", "b")
    desk.run("verify", "b", "--adjudicate")
