"""Old records under newer rules, other tables and options; records that were changed, or made by a newer version."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from engine.adjudication.readjudicate import Readjudicator
from engine.cli.main import cli
from engine.driver import Divergence
from engine.orders import AnyOrder
from engine.rules.rule_set import Objection, Situation
from events.facts import RollCalled, Unknown
from events.store.memory import MemoryLog
from events.store.record import Draft
from events.store.sqlite import SqliteLog
from tests.toy import Hit, ToyRules, Wounded, toy_fold
from tests.toy_desk import Desk


class Tougher(ToyRules):
    """Edition 2: a blow must show one more, and nobody may strike at Ben."""

    edition = "2"
    base = 5
    options = {"weather": ("dry", "wet")}

    def load_tables(self, directory: Path | None) -> tuple[Any, str]:
        own = msgspec.json.decode((directory / "to_hit.json").read_bytes()) if directory else {"to_hit": self.base}
        return own, msgspec.json.encode(own).decode()

    def objections(self, situation: Situation[Any, Any], order: AnyOrder) -> Sequence[Objection]:
        if isinstance(order, Hit) and order.target == "ben":
            return [Objection("nobody strikes at Ben", "TOY-9")]
        return super().objections(situation, order)


class Tables(ToyRules):
    """Edition 1 with a referee's own tables."""

    load_tables = Tougher.load_tables
    options = {"weather": ("dry", "wet")}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, Tables(), monkeypatch)


def entered(desk: Desk, *shown: int) -> None:
    """Play a turn in which Ann and Al strike at Bob and show these faces."""
    desk.new(by_hand=("red",))
    desk.turn({"red": "al: hit bob\nann: hit bob"})
    for key, face in zip(("t1/hit/al>bob", "t1/hit/ann>bob"), shown, strict=True):
        desk.run("roll", "b", key, "--faces", face)


def own_tables(desk: Desk, to_hit: int) -> Path:
    folder = desk.folder / "own"
    folder.mkdir(exist_ok=True)
    (folder / "to_hit.json").write_text(f'{{"to_hit":{to_hit}}}')
    return folder


def test_l15_an_old_battle_is_shown_the_same_under_new_rules_and_judged_by_its_own(desk: Desk) -> None:
    entered(desk, 4, 6)
    before = desk.data("show", "b")
    desk.install(Tougher())
    assert desk.data("show", "b") == before
    assert "nothing differs" in desk.run("verify", "b", "--adjudicate")
    told = desk.refused("verify", "b", "--adjudicate", "--edition", 2)
    assert f"the first at event {desk.seq_of('roll.rolled')}" in told
    assert "was    al strikes bob (+4 base) [d6] rolled 4 = 4 >= 4: yes [entered dice]" in told
    assert "would  al strikes bob (+5 base) [d6] rolled 4 = 4 >= 5: no [entered dice]" in told
    assert "was    bob is wounded by al" in told
    assert "by ann" not in told.replace("strikes", "")


def test_l16_a_changed_record_is_told_by_event_and_field(desk: Desk) -> None:
    entered(desk, 4, 6)
    forged = desk.seq_of("toy.wounded")
    copy = MemoryLog()
    with SqliteLog(desk.db, read_only=True) as log:
        read, digest = toy_fold().catalogue.read, desk.state()["table"]["tables"]
        events = [(read(each.body), each) for each in log.records(log.line("b"))]
        events = [(replace(event, wounds=2) if isinstance(event, Wounded) else event, each) for event, each in events]
        copy.begin("b", [Draft(event, each.actor, each.act) for event, each in events], 5)
        copy.keep_document(digest, log.document(digest) or "")
        with pytest.raises(Divergence, match=rf"event {forged}, toy\.wounded\.wounds: recorded 2, judged 1"):
            Readjudicator(copy, copy.line("b"), Tables()).run()


def test_l18_a_missing_edition_is_named_and_the_record_can_still_be_read(desk: Desk) -> None:
    entered(desk, 4, 6)
    desk.install(Tougher(), keep=False)
    for words in (["next", "b"], ["undo", "b", "--why", "x", "--dice", "keep"], ["verify", "b", "--adjudicate"]):
        told = desk.refused(*words)
        assert "edition 1 of toy" in told
        assert "edition 2" in told
        assert "toy@1" in told
    desk.run("show", "b")
    desk.run("log", "b")
    desk.run("verify", "b")
    desk.run("export", "b", desk.folder / "copy")


def test_l19_a_running_battle_goes_on_by_its_own_edition_and_a_ruling_adopts_the_new_one(desk: Desk) -> None:
    desk.new()
    desk.turn({"red": "ann: hit ben\nal: hit ben", "blue": "bob: hit ann"})
    illegal = desk.seq_of("order.given")
    desk.install(Tougher())
    length = desk.events()[-1]["seq"]
    desk.turn({"red": "ann: hit ben"})
    desk.run("verify", "b", "--adjudicate")
    assert desk.events()[-1]["seq"] > length
    told = desk.run("edition", "b", "--edition", 2, "--why", "errata", "--preview")
    assert f"{illegal}  was    'ann: hit ben'" in told
    assert "not allowed: nobody strikes at Ben (TOY-9)" in told
    desk.run("edition", "b", "--edition", 2, "--why", "errata")
    adopted = next(each["body"] for each in desk.events() if each["body"]["type"] == "ruling.edition_adopted")
    assert any(each.startswith(f"event {illegal}:") for each in adopted["differences"])
    assert "nobody strikes at Ben" in desk.refused("order", "b", "red", "ann: hit ben")
    desk.turn({"red": "ann: hit bob"})
    call = [each["body"] for each in desk.events() if each["body"]["type"] == "roll.called"][-1]
    assert call["target"] == 5
    desk.run("verify", "b", "--adjudicate")
    desk.run("undo", "b", "t1", "--why", "all of it", "--dice", "keep")
    assert "already" in desk.refused("edition", "b", "--edition", 1, "--why", "x")


def test_l19_a_battle_whose_edition_is_gone_can_adopt_the_one_that_is_here(desk: Desk) -> None:
    entered(desk, 4, 6)
    desk.install(Tougher(), keep=False)
    desk.run("edition", "b", "--edition", 2, "--why", "the old one is lost")
    desk.turn({"blue": "bob: hit ann"})
    assert desk.state()["table"]["edition"] == "2"


def test_other_tables_are_tried_on_the_same_orders_and_dice(desk: Desk) -> None:
    entered(desk, 4, 6)
    before = desk.heads()
    assert "nothing would have come out" in desk.run("verify", "b", "--adjudicate", "--tables", own_tables(desk, 4))
    told = desk.refused("verify", "b", "--adjudicate", "--tables", own_tables(desk, 6))
    assert "2 checks have another target or chance" in told
    assert "would  al strikes bob (+6 base) [d6] rolled 4 = 4 >= 6: no" in told
    assert "rolled 6 = 6" not in told
    desk.run("export", "b", desk.folder / "copy")
    assert told == desk.refused("verify", desk.folder / "copy", "--adjudicate", "--tables", own_tables(desk, 6))
    assert desk.heads() == before


def test_where_other_dice_would_be_needed_that_is_said(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    entered(desk, 4, 6)
    monkeypatch.setattr("tests.toy.RollCalled", lambda *fields: replace(RollCalled(*fields), dice="2d6"))
    told = desk.refused("verify", "b", "--adjudicate", "--option", "weather=wet")
    assert "other dice would be needed: 2d6 for t1/hit/al>bob" in told


def test_a_wrong_option_is_refused_with_the_right_ones(desk: Desk) -> None:
    entered(desk, 4, 6)
    assert "choose from dry, wet" in desk.refused("verify", "b", "--adjudicate", "--option", "weather=odd")
    assert "has no option 'wether'" in desk.refused("verify", "b", "--adjudicate", "--option", "wether=wet")
    told = desk.refused("verify", "b", "--adjudicate", "--edition", "1850")
    assert told == "wardiary: edition 1850 of toy is not installed here: there is 1\n"
    assert "go with --adjudicate" in desk.refused("verify", "b", "--option", "weather=wet", code=2)


def test_tables_adopted_on_the_way_are_exported_corrected_over_and_judged(desk: Desk, tmp_path: Path) -> None:
    entered(desk, 4, 6)
    order = desk.seq_of("order.given")
    desk.run("edition", "b", "--tables", own_tables(desk, 6), "--why", "house rule")
    desk.turn({"blue": "bob: hit ann"})
    desk.run("strike", "b", order, "--why", "asleep", "--dice", "keep")
    assert desk.state()["table"]["tables"] != desk.state("--at", "t1")["table"]["tables"]
    assert [each["target"] for each in desk.bodies("roll.called")] == [4, 6]
    desk.run("export", "b", tmp_path / "copy")
    assert "nothing differs" in desk.run("verify", tmp_path / "copy", "--adjudicate")


def test_l20_a_newer_fact_is_kept_named_and_never_rewritten(desk: Desk) -> None:
    entered(desk, 4, 6)
    body = '{"type":"toy.enchanted","by":"a newer version","n":1}'
    with SqliteLog(desk.db) as log:
        line = log.line("b")
        log.append(line, [Draft(Unknown("toy.enchanted", body), "engine")], log.head(line).seq, 2_000_000_000_000_000)
    assert "toy.enchanted" in desk.run("log", "b")
    desk.run("export", "b", desk.folder / "copy")
    assert msgspec.json.encode(body).decode() in (desk.folder / "copy").read_text()
    before = desk.heads()
    for words in (["next", "b"], ["undo", "b", "--why", "x", "--dice", "keep"], ["adopt", "b", "main", "--why", "x"]):
        assert "toy.enchanted" in desk.refused(*words)
    assert desk.heads() == before


def test_l22_damaged_snapshots_cost_time_and_nothing_else(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.maintenance.SNAPSHOT_EVERY", 8)
    desk.new()
    for _ in range(2):
        desk.turn()
        desk.run("undo", "b", "--why", "x", "--dice", "keep")
        desk.run("next", "b")
    before = [desk.data("show", "b", "--line", name) for name in desk.heads()]
    assert "snapshots made" in desk.run("doctor", "--rebuild")
    assert [desk.data("show", "b", "--line", name) for name in desk.heads()] == before
    with sqlite3.connect(desk.db) as db:
        assert db.execute("UPDATE snapshot SET state = substr(state, 1, 40)").rowcount > 2
    assert [desk.data("show", "b", "--line", name) for name in desk.heads()] == before


@pytest.mark.parametrize(
    "damage",
    [
        "'{}'",
        "substr(state, 1, 65) || '{}'",
        "replace(state, '\"bob\":', '\"bot\":')",
        "substr(state, 66)",
        "cast(x'ff20' AS TEXT)",
    ],
)
def test_l22_a_snapshot_of_sound_json_that_is_not_the_state_is_not_believed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setattr("engine.maintenance.SNAPSHOT_EVERY", 8)
    desk.new()
    desk.turn()
    desk.run("doctor", "--rebuild")
    before, told = desk.data("show", "b"), desk.run("replay", "b", "--json")
    with sqlite3.connect(desk.db) as db:
        assert db.execute(f"UPDATE snapshot SET state = {damage}").rowcount > 0
    assert desk.data("show", "b") == before
    assert desk.run("replay", "b", "--json") == told


def test_a_what_if_line_is_played_on_by_other_tables_and_the_battle_is_not(desk: Desk) -> None:
    entered(desk, 4, 6)
    desk.run("branch", "b", "harder", "--why", "what if it took a six?")
    desk.run("edition", "b", "--tables", own_tables(desk, 6), "--why", "what if", "--line", "harder")
    desk.turn({"blue": "bob: hit ann"}, line="harder")
    desk.turn({"blue": "bob: hit ann"})
    targets = [[each["target"] for each in desk.bodies("roll.called", line)] for line in ("harder", "main")]
    assert targets == [[4, 4, 6], [4, 4, 4]]
    desk.run("verify", "b", "--adjudicate")


def test_own_tables_that_give_the_same_figures_change_nothing(tmp_path: Path) -> None:
    kept, own, chance = tmp_path / "kept.db", tmp_path / "own", Random(4)
    tables = Path(str(import_module("engine.rules.dresda").__file__)).parent / "tables"
    own.mkdir()
    text = (tables / "missile_weapons.toml").read_text()
    farther = text.replace('"30/4", "20/3", "-", "-"]', '"30/4", "20/3", "1/1", "-"]')
    assert farther != text  # a shot from farther than the field is wide
    (own / "missile_weapons.toml").write_text(farther)
    run = CliRunner().invoke
    with mock.patch("secrets.token_bytes", chance.randbytes):
        run(cli, ["demo", "dresda", "--keep", str(kept)])
    hits = run(cli, ["log", "demo", "--kind", "outcome", "--db", str(kept)]).output
    assert "Attack Factor" in hits  # whose figures now are of other tables
    told = run(cli, ["verify", "demo", "--adjudicate", "--tables", str(own), "--db", str(kept)])
    assert "nothing would have come out differently" in told.output
