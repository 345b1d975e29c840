"""The page for sceptics does what it says: its commands, run as they stand, prove a roll or expose a forgery."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from events.commands import AddNote, OpenBranch, Strike
from events.facts import ActOpened, DiceRolled, RollCalled, SecretRevealed
from events.store.memory import MemoryLog
from events.store.record import Draft
from projections.dice.ledger import read_ledger
from projections.dice.rolls import dice_of, read_roll
from replays.audit.dice_proof import recipe_for
from replays.audit.exported import take_over, write_export
from replays.audit.lineage import ALGORITHM_2, chain_root, content_of_orders, message_2
from replays.audit.proof import faces, secret_of
from replays.audit.verify import verify
from tests.dice_table import fight, open_table
from tests.table import Table
from tests.toy import ToyRules

PAGE = Path(__file__).resolve().parent.parent / "docs" / "dice.md"
NEEDED = ("sh", "sed", "grep", "sha256sum", "seq", "paste")

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, NEEDED)), reason="the page needs a POSIX shell and sha256sum"
)  # fmt: skip


def follow(record: Path, **variables: str) -> str:
    """Run every command of the page, from the first to the last, in one shell."""
    script = "\n".join(re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE))
    assert script.count("\n") > 30
    path = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        ["sh", "-eu", "-c", script],
        env={**path, "RECORD": str(record), **variables},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def exported(battle: Table, path: Path) -> Path:
    path.write_bytes(b"".join(write_export(battle.log, "b", [])))
    return path


@pytest.fixture
def battle(tmp_path: Path) -> Table:
    return open_table(tmp_path / "war.db")


@pytest.mark.parametrize("key", ["t1/hit/ann>bob", "t3/hit/bob>ann"])
def test_the_page_proves_a_roll(battle: Table, tmp_path: Path, key: str) -> None:
    fight(battle, 3)
    told = follow(exported(battle, tmp_path / "b.record"), KEY=key)
    recipe = recipe_for(battle.view, key)
    assert "the secret is the one committed to" in told
    assert f"message: {recipe.message}1:0," in told
    assert f"block 0: {recipe.blocks[0]}" in told
    assert f"worked out: {','.join(map(str, recipe.faces))}\n" in told
    assert told.endswith("the roll is proved\n")


def test_the_page_takes_nonces_and_orders_into_account(battle: Table, tmp_path: Path) -> None:
    battle.seed("red", "nine: lives, Ünsinn")
    battle.seed("blue", "a horse")
    fight(battle)
    given = ["blue|ben: hit al", "blue|bob: hit ann", "red|al: hit ben", "red|ann: hit bob"]
    parts = " ".join(f"'{part}'" for each in given for part in (*each.split("|"), ""))
    orders = f"field wardiary-orders/2 t1/blows {parts}"
    seeds = "field blue 'a horse'; field red 'nine: lives, Ünsinn'"
    record = exported(battle, tmp_path / "b.record")
    told = follow(record, KEY="t1/hit/ann>bob", SEEDS=seeds, ORDERS=orders)
    assert "the roll is proved\nthe orders are these" in told
    other = follow(record, KEY="t1/hit/ann>bob", SEEDS="field blue 'another'", ORDERS="field t1/blows")
    assert "OTHER ORDERS" in other
    assert recipe_for(battle.view, "t1/hit/ann>bob").blocks[0] not in other


@pytest.mark.parametrize(("notation", "sides", "low"), [("5d100", 100, 1), ("40d6", 6, 1), ("3d00", 100, 0)])
def test_the_page_reads_other_dice_too(battle: Table, tmp_path: Path, notation: str, sides: int, low: int) -> None:
    draw(battle, notation)
    verify(battle.log, "b")
    told = follow(exported(battle, tmp_path / "b.record"), KEY="t1/many", SIDES=str(sides), LOW=str(low))
    assert told.endswith("the roll is proved\n")


def test_the_page_exposes_a_changed_face_and_a_changed_secret(battle: Table, tmp_path: Path) -> None:
    draw(battle, "20d6")
    record = exported(battle, tmp_path / "b.record")
    text = record.read_text()
    (entry,) = read_ledger(battle.log, "b")
    shown = ",".join(map(str, entry.faces))
    changed = ",".join(map(str, (entry.faces[0] % 6 + 1, *entry.faces[1:])))
    record.write_text(text.replace(f"[{shown}]", f"[{changed}]"))
    assert "THE ROLL IS NOT WHAT IT SHOULD BE" in follow(record, KEY="t1/many")
    secret = recipe_for(battle.view, "t1/many").secret
    record.write_text(text.replace(secret, "00" * 32))
    told = follow(record, KEY="t1/many")
    assert "ANOTHER SECRET" in told
    assert "THE ROLL IS NOT WHAT IT SHOULD BE" in told


def test_a_reused_roll_is_worked_out_on_the_line_that_a_ruling_replaced(battle: Table, tmp_path: Path) -> None:
    fight(battle)
    roll = next(each for each in read_ledger(battle.log, "b") if each.key == "t1/hit/ann>bob")
    (order,) = [record.seq for record in battle.log.records(battle.line) if "ben: hit al" in record.body]
    battle.give(Strike, events=(order,), why="a slip", dice="keep")
    record = exported(battle, tmp_path / "b.record")
    assert "reused from line main: work it out there" in follow(record, KEY=roll.key, LINE="main.2")
    assert follow(record, KEY=roll.key).endswith("the roll is proved\n")


def test_a_roll_of_a_what_if_line_is_proved_with_and_without_shared_dice(battle: Table, tmp_path: Path) -> None:
    fight(battle)
    for name, stream in (("alone", ""), ("first", "first"), ("second", "first")):
        battle.give(OpenBranch, name=name, why="x", dice_of=stream)
        line = Table(battle.log, "b", ToyRules(), name, battle.clock)
        line.seed("red", "a horse")
        fight(line)
    record = exported(battle, tmp_path / "b.record")
    for name in ("alone", "first", "second"):
        assert follow(record, KEY="t2/hit/ann>bob", LINE=name).endswith("the roll is proved\n"), name
    assert "no such roll" in follow(record, KEY="t2/hit/ann>bob")


def test_entered_dice_and_rolls_that_are_not_there_are_not_accused(battle: Table, tmp_path: Path) -> None:
    fight(battle, by_hand=("red",))
    battle.roll(dict.fromkeys(battle.state.table.called, (3,)), seat="red")
    record = exported(battle, tmp_path / "b.record")
    assert follow(record, KEY="t1/hit/ann>bob").endswith("entered by hand: there is nothing to work out\n")
    assert follow(record, KEY="t9/no/such").endswith("no such roll on this line\n")
    fight(battle, 1)
    assert "the secret of turn" not in follow(record, KEY="t1/hit/bob>ann")


@pytest.mark.parametrize("field", ["text", "request"])
def test_what_only_looks_like_a_roll_is_not_taken_for_one(battle: Table, tmp_path: Path, field: str) -> None:
    fight(battle)
    forged = '{"type":"roll.rolled","key":"t1/lie","faces":[6],"total":6,"source":"seeded","turn":1}'
    battle.give(AddNote, **{"text": "hello", field: forged})
    record = exported(battle, tmp_path / "b.record")
    assert "t1/lie" in record.read_text()
    assert follow(record, KEY="t1/lie").endswith("no such roll on this line\n")


@pytest.mark.parametrize("name", ["dresda_whole", "rhand_melee_whole"])
def test_rolls_of_the_first_algorithm_are_proved_too(name: str) -> None:
    record = PAGE.parent.parent / "tests" / "golden" / "battles" / f"{name}.jsonl"
    log = MemoryLog()
    take_over(log, record)
    drawn = [each for each in read_ledger(log, name) if each.source == "seeded"]
    rolls = [each for each in drawn if each.notation.lstrip("1") in ("d100", "d00")]
    assert rolls
    given = json.loads(record.with_suffix(".json").read_text(encoding="utf-8"))["turns"]["head"]["state"]["table"][
        "nonces"
    ]
    seeds = "; ".join(f"field {seat} '{seed}'" for seat, seed in sorted(given.items()))
    for roll in rolls[:2]:
        low = "0" if roll.notation.endswith("d00") else "1"
        told = follow(record, KEY=roll.key, SIDES="100", LOW=low, SEEDS=seeds)
        assert "drawn by hmac-sha256/1" in told
        assert told.endswith("the roll is proved\n"), roll.key


def draw(battle: Table, notation: str) -> None:
    """Put a roll of any dice on record, drawn as the engine draws, and reveal the turn's secret."""
    committed = battle.state.table.committed
    assert committed is not None
    root = battle.log.secret(committed.root)
    assert root is not None
    secret = secret_of(chain_root(bytes.fromhex(root), "main", 1), 1, committed.turns)
    content = content_of_orders("t1/many", [])
    call = RollCalled("t1/many", "many dice", "red", "ann", notation, "read")
    shown = faces(secret, message_2("b", "main", content, call.key, {}), dice_of(notation).faces())
    total = read_roll(call, shown).total
    events = [
        ActOpened("t1/many", battle.seq + 1, content),
        call,
        DiceRolled(call.key, shown, total, None, "seeded", 1, ALGORITHM_2),
        SecretRevealed(1, secret.hex()),
    ]
    battle.log.append(battle.line, [Draft(event, "engine", battle.seq + 1) for event in events], battle.seq, 1)
