"""Dice that can be believed: commitment, nonces, beacons, proof from the record alone, and the table's own policy."""

from __future__ import annotations

import hmac
import itertools
import shutil
import socket
from hashlib import sha256
from pathlib import Path

import pytest

from engine.adjudication.readjudicate import Readjudicator
from engine.dice.agreed import BeaconRefused
from engine.errors import NotAuthorized
from events.dice.beacons import KNOWN, value_of
from events.facts import BeaconAdded, BeaconNamed, DiceCommitted
from events.store.chain import field
from events.store.errors import RecordBroken
from events.store.memory import MemoryLog
from events.store.record import Draft
from events.store.sqlite import SqliteLog
from projections.dice.ledger import read_ledger
from projections.journal import caption
from replays.audit.dice_proof import faces_of, proof_of, recipe_for
from replays.audit.exported import take_over, write_export
from replays.audit.proof import commitment_of, faces, keeps_commitment, message, secret_of
from replays.audit.verify import verify
from replays.points import PointUnknown
from replays.seek import steps
from replays.view import open_view
from tests.by_command import add_beacon, declare_policy, name_beacon
from tests.dice_table import fight, open_table
from tests.table import Table, branch
from tests.toy import ToyRules

ROUND_1000 = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
VALUE_1000 = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"
"""Round 1000 of quicknet as the beacon published it: signature and randomness."""
BEFORE_ROUND_1000 = KNOWN["quicknet"].out_at(1000) - 1_000_000_000


@pytest.fixture
def battle(tmp_path: Path) -> Table:
    return open_table(tmp_path / "war.db")


def thrown(battle: Table) -> dict[str, tuple[int, ...]]:
    return {entry.key: entry.faces for entry in read_ledger(battle.log, "b") if entry.line == battle.line.name}


def told(battle: Table) -> list[str]:
    return [caption(battle.fold, step.event, step.before) for step in steps(battle.log, battle.fold, battle.line)]


# L39

SEED = bytes(range(32))
COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_l39_the_figures_of_the_demonstration() -> None:
    assert sha256(SEED).hexdigest() == COMMITMENT
    assert keeps_commitment(SEED, 1, COMMITMENT)
    block = hmac.digest(SEED, b"demo|1|0", "sha256")
    assert block.hex().startswith("ecaa601de989ff64")
    assert faces_of(block, ((1, 6),) * 10) == (3, 3, 1, 6, 6, 6, 5, 6, 5, 3)


def test_l39_the_commitment_does_not_give_the_result_away() -> None:
    text, dice = message("demo", "main", "orders", "t1/hit", {}), ((1, 6),) * 20
    drawn = faces(SEED, text, dice)
    assert drawn == faces(SEED, text, dice)
    assert faces(bytes.fromhex(COMMITMENT), text, dice) != drawn
    assert faces(COMMITMENT.encode(), text, dice) != drawn
    assert faces(sha256(COMMITMENT.encode() + text).digest(), text, dice) != drawn


def test_l39_a_revealed_secret_does_not_give_the_next_turn_away() -> None:
    root = SEED
    first, second = secret_of(root, 1, 10), secret_of(root, 2, 10)
    assert sha256(second).digest() == first
    assert keeps_commitment(second, 2, commitment_of(root, 10))
    text, dice = message("demo", "main", "orders", "t2/hit", {}), ((1, 6),) * 20
    assert faces(second, text, dice) != faces(first, text, dice)
    assert faces(second, text, dice) != faces(sha256(first).digest(), text, dice)


def test_l39_nothing_public_at_opening_draws_the_dice_that_fall(battle: Table) -> None:
    public = [bytes.fromhex(record.hash) for record in battle.log.records(battle.line)]
    committed = battle.state.table.committed
    assert committed is not None
    fight(battle)
    recipe = recipe_for(battle.view, "t1/hit/ann>bob")
    for guess in (bytes.fromhex(committed.commitment), committed.commitment.encode(), *public):
        assert hmac.digest(guess, recipe.message.encode() + field("0"), "sha256").hex() != recipe.blocks[0]


def test_dice_hang_on_the_orders_and_on_the_nonces(tmp_path: Path) -> None:
    base = open_table(tmp_path / "base.db")
    base.log.close()
    blocks = set()
    for number, (nonce, order) in enumerate([("", "ann: hit bob"), ("x", "ann: hit bob"), ("", "ann: hit ben")]):
        path = tmp_path / f"{number}.db"
        shutil.copy(tmp_path / "base.db", path)
        one = Table(SqliteLog(path), "b", ToyRules())
        if nonce:
            one.seed("blue", nonce)
        one.order("red", f"{order}\nal: hit bob")
        one.proceed()
        blocks.add(recipe_for(one.view, "t1/hit/al>bob").blocks)
    assert len(blocks) == 3


def test_l05_a_restart_does_not_change_the_dice(tmp_path: Path) -> None:
    """Whether the file is closed in between, and however often a copy of it is tried, the same dice fall."""
    first = open_table(tmp_path / "war.db")
    first.order("red", "ann: hit bob\nal: hit ben")
    first.order("blue", "bob: hit ann\nben: hit al")
    first.log.close()
    results = []
    for number in range(3):
        shutil.copy(tmp_path / "war.db", tmp_path / f"{number}.db")
        again = Table(SqliteLog(tmp_path / f"{number}.db"), "b", ToyRules())
        again.proceed()
        results.append(thrown(again))
    assert results[0] == results[1] == results[2]
    assert len(results[0]) == 4


def test_l05_waiting_for_a_die_and_going_on_later_does_not_change_the_dice(tmp_path: Path) -> None:
    first = open_table(tmp_path / "war.db")
    first.order("red", "ann: hit bob")
    first.log.close()
    shutil.copy(tmp_path / "war.db", tmp_path / "two.db")
    at_once = Table(SqliteLog(tmp_path / "war.db"), "b", ToyRules())
    at_once.proceed()
    later = Table(SqliteLog(tmp_path / "two.db"), "b", ToyRules())
    later.proceed(by_hand=["red"])
    later.log.close()
    later = Table(SqliteLog(tmp_path / "two.db"), "b", ToyRules())
    later.roll({"t1/hit/ann>bob": None})
    assert thrown(later) == thrown(at_once)


# L40


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("the network was used")

    for name in ("socket", "create_connection", "getaddrinfo"):
        monkeypatch.setattr(socket, name, refuse)


def exported(battle: Table, path: Path) -> Path:
    path.write_bytes(b"".join(write_export(battle.log, "b", [battle.state.table.tables])))
    return path


def test_l40_an_exported_record_proves_its_dice_with_the_network_off(
    battle: Table, tmp_path: Path, no_network: None
) -> None:
    battle.seed("red", "a horse")
    fight(battle, 2)
    log = MemoryLog()
    take_over(log, exported(battle, tmp_path / "b.record"))
    report = proof_of(open_view(log, "b"))
    assert (report.verdict.proved, report.verdict.unrevealed) == (len(thrown(battle)), 0)
    text = "\n".join(report.lines())
    assert f"{report.verdict.proved} rolls proved from revealed secrets" in text
    assert "red gave the client seed “a horse”" in text
    assert battle.state.table.committed is not None
    assert battle.state.table.committed.commitment in text
    root = battle.log.secret(battle.state.table.committed.root)
    assert root is not None
    assert root not in (tmp_path / "b.record").read_text()


def test_l40_a_changed_face_is_found_in_an_exported_record(battle: Table, tmp_path: Path, no_network: None) -> None:
    fight(battle)
    path = exported(battle, tmp_path / "b.record")
    entry = read_ledger(battle.log, "b")[0]
    other = entry.faces[0] % 6 + 1
    text = path.read_text()
    old, new = (f'\\"key\\":\\"{entry.key}\\",\\"faces\\":[{face}]' for face in (entry.faces[0], other))
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(RecordBroken):
        verify_file(path)


def verify_file(path: Path) -> None:
    log = MemoryLog()
    verify(log, take_over(log, path))


def test_a_roll_comes_with_all_that_it_is_worked_out_from(battle: Table) -> None:
    battle.seed("blue", "nine: lives,")
    fight(battle)
    key = "t1/hit/ann>bob"
    recipe = recipe_for(battle.view, key)
    secret = bytes.fromhex(recipe.secret)
    assert sha256(secret).hexdigest() == recipe.commitment
    assert recipe.hashings == 1
    block = hmac.digest(secret, recipe.message.encode() + field("0"), "sha256")
    assert recipe.blocks[0] == block.hex()
    assert recipe.faces == thrown(battle)[key]
    assert "12:nine: lives," in recipe.message
    assert f"secret:     {recipe.secret}" in list(recipe.lines())


def test_a_roll_of_a_running_turn_waits_for_its_secret(battle: Table) -> None:
    battle.order("red", "ann: hit bob\nal: hit bob")
    battle.order("blue", "bob: hit ann")
    battle.proceed(by_hand=["blue"])
    recipe = recipe_for(battle.view, "t1/hit/ann>bob")
    assert (recipe.secret, recipe.blocks) == ("", ())
    assert "comes out when turn 1 ends" in "\n".join(recipe.lines())


def test_there_is_no_recipe_for_a_roll_that_was_not_drawn(battle: Table) -> None:
    with pytest.raises(PointUnknown, match="no roll of that key"):
        recipe_for(battle.view, "t9/hit/nobody")


# Beacons


def test_a_round_of_a_beacon_is_the_sha_256_of_its_signature() -> None:
    assert value_of(ROUND_1000) == VALUE_1000


def out(battle: Table) -> None:
    """Let the time come at which round 1000 is out."""
    ticks = itertools.count(1_700_000_000_000_000)
    battle.clock = lambda: next(ticks)


def test_a_beacon_named_beforehand_is_stirred_in(tmp_path: Path) -> None:
    battle = open_table(tmp_path / "war.db", BEFORE_ROUND_1000)
    name_beacon(battle, "blue", "quicknet", 1000)
    assert list(battle.state.table.beacons) == [BeaconNamed("quicknet", 1000)]
    out(battle)
    add_beacon(battle, "red", "quicknet", 1000, ROUND_1000, VALUE_1000)
    assert list(battle.state.table.beacons) == []
    assert battle.state.table.nonces == {"beacon quicknet 1000": VALUE_1000}
    fight(battle)
    assert verify(battle.log, "b").proved == 4
    assert VALUE_1000 in recipe_for(battle.view, "t1/hit/ann>bob").message
    assert any("round 1000 of quicknet is stirred into the dice: fe290beca10872ef…" in line for line in told(battle))
    text = "\n".join(proof_of(battle.view).lines())
    assert "round 1000 of quicknet named beforehand, due 2023-08-23T15:59:24Z" in text
    assert "NAMED TOO LATE" not in text
    assert "signature checked" in text


def test_a_beacon_pasted_while_dice_are_waited_for_leaves_the_battle_whole(tmp_path: Path) -> None:
    battle = open_table(tmp_path / "war.db", BEFORE_ROUND_1000)
    name_beacon(battle, "blue", "quicknet", 1000)
    battle.order("red", "ann: hit bob\nal: hit ben")
    battle.order("blue", "bob: hit ann")
    battle.proceed(by_hand=["red"])
    out(battle)
    add_beacon(battle, "blue", "quicknet", 1000, ROUND_1000)
    declare_policy(battle, "referee", "forbidden")
    battle.roll({"t1/hit/ann>bob": (6,)})
    battle.roll({"t1/hit/al>ben": None})
    assert verify(battle.log, "b").proved == 2
    Readjudicator(battle.log, battle.line, ToyRules()).run()
    assert VALUE_1000 in recipe_for(battle.view, "t1/hit/al>ben").message
    assert VALUE_1000 not in recipe_for(battle.view, "t1/hit/bob>ann").message


def test_a_round_that_is_out_already_cannot_be_named(battle: Table) -> None:
    with pytest.raises(BeaconRefused, match=r"out since 2023-08-23T15:59:24Z: name one that nobody can know yet"):
        name_beacon(battle, "blue", "quicknet", 1000)
    with pytest.raises(BeaconRefused, match="one word"):
        name_beacon(battle, "blue", "two words", 1)


def test_a_round_named_too_late_behind_our_back_is_told(tmp_path: Path) -> None:
    battle = open_table(tmp_path / "war.db")
    battle.say("blue", BeaconNamed("quicknet", 1000))
    battle.say("blue", BeaconAdded("quicknet", 1000, ROUND_1000))
    battle.say("blue", BeaconNamed("quicknet", 1001))
    battle.say("blue", BeaconAdded("quicknet", 1001, ROUND_1000))
    text = "\n".join(proof_of(battle.view).lines())
    assert "NAMED TOO LATE" in text
    assert "FORGED: this is not the beacon's signature" in text


def test_what_was_not_named_or_does_not_fit_is_refused(tmp_path: Path) -> None:
    battle = open_table(tmp_path / "war.db", BEFORE_ROUND_1000)
    with pytest.raises(BeaconRefused, match="not named beforehand; rounds waited for: none"):
        add_beacon(battle, "red", "quicknet", 1000, ROUND_1000)
    name_beacon(battle, "blue", "quicknet", 1000)
    with pytest.raises(BeaconRefused, match="hex digits"):
        add_beacon(battle, "red", "quicknet", 1000, "nonsense")
    with pytest.raises(BeaconRefused, match="comes out at 2023-08-23T15:59:24Z, not before"):
        add_beacon(battle, "red", "quicknet", 1000, ROUND_1000)
    out(battle)
    with pytest.raises(BeaconRefused, match="not the signature of round 1000"):
        add_beacon(battle, "red", "quicknet", 1000, ROUND_1000[:-1] + "8")
    with pytest.raises(BeaconRefused, match="not the randomness 00"):
        add_beacon(battle, "red", "quicknet", 1000, ROUND_1000, "00")
    assert battle.state.table.nonces == {}


def test_a_value_that_nobody_named_changes_nothing(battle: Table) -> None:
    draft = Draft(BeaconAdded("quicknet", 1000, "not hex at all \udcff".encode(errors="replace").decode()), "red")
    battle.log.append(battle.line, [draft], battle.seq, 1)
    battle.refresh()
    assert battle.state.table.nonces == {}
    assert "nobody had named it beforehand" in told(battle)[-1]
    assert verify(battle.log, "b").events == battle.seq


# L45


def test_l45_the_dice_policy_is_an_event_that_every_account_announces(battle: Table) -> None:
    declare_policy(battle, "referee", "forbidden")
    fight(battle)
    declare_policy(battle, "referee", "allowed", "a children's game")
    assert battle.state.table.fudging == "allowed"
    assert [record.type for record in battle.log.records(battle.line)].count("table.dice_policy") == 2
    lines = told(battle)
    assert "table rule: setting dice aside is forbidden" in lines
    assert "table rule: setting dice aside is allowed, forbidden until now — a children's game" in lines
    text = "\n".join(proof_of(battle.view).lines())
    assert "setting dice aside at this table: allowed" in text
    assert "setting dice aside is forbidden from here on" in text


def test_l45_only_the_referee_declares_it(battle: Table) -> None:
    with pytest.raises(NotAuthorized):
        declare_policy(battle, "red", "allowed")


def test_l45_nothing_declared_is_said_too(battle: Table) -> None:
    assert proof_of(battle.view).fudging == ""
    assert "setting dice aside at this table: nothing declared" in list(proof_of(battle.view).lines())


def test_l45_a_referee_who_overrides_a_forbidden_policy_shows_as_a_ruling(battle: Table) -> None:
    declare_policy(battle, "referee", "forbidden")
    battle.order("red", "ann: curse bob")
    battle.rule("curse/bob", "yes", "the dice were unkind")
    record = next(record for record in battle.log.records(battle.line) if record.type == "ruling.given")
    assert record.kind == "ruling"
    assert any("the referee rules: yes" in line and "the dice were unkind" in line for line in told(battle))


def test_a_new_commitment_of_a_what_if_line_is_told(battle: Table) -> None:

    branch(battle, "if", battle.seq, "referee", "")
    on = Table(battle.log, "b", ToyRules(), "if", battle.clock)
    fight(on)
    commitments = {
        step.event.commitment for step in steps(on.log, on.fold, on.line) if isinstance(step.event, DiceCommitted)
    }
    assert len(commitments) == 2
    text = "\n".join(proof_of(battle.view).lines())
    assert all(commitment in text for commitment in commitments)
