"""The page for sceptics does what it says: its commands, run as they stand, prove a roll or expose a forgery."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from events.facts import ActOpened, DiceRolled, RollCalled, SecretRevealed
from events.store.record import Draft
from projections.dice.ledger import read_ledger
from projections.dice.rolls import dice_of, read_roll
from replays.audit.dice_proof import recipe_for
from replays.audit.exported import write_export
from replays.audit.proof import ALGORITHM, faces, message, secret_of
from replays.audit.verify import verify
from tests.dice_table import fight, open_table
from tests.table import Table

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
    orders = "\n".join(["t1/blows", "blue ben: hit al", "blue bob: hit ann", "red al: hit ben", "red ann: hit bob"])
    nonces = "field blue 'a horse'; field red 'nine: lives, Ünsinn'"
    record = exported(battle, tmp_path / "b.record")
    told = follow(record, KEY="t1/hit/ann>bob", NONCES=nonces, ORDERS=orders)
    assert "the roll is proved\nthe orders are these" in told
    other = follow(record, KEY="t1/hit/ann>bob", NONCES="field blue 'another'", ORDERS="t1/blows")
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


def draw(battle: Table, notation: str) -> None:
    """Put a roll of any dice on record, drawn as the engine draws, and reveal the turn's secret."""
    committed = battle.state.table.committed
    assert committed is not None
    root = battle.log.secret(committed.commitment)
    assert root is not None
    secret = secret_of(bytes.fromhex(root), 1, committed.turns)
    call = RollCalled("t1/many", "many dice", "red", "ann", notation, "read")
    shown = faces(secret, message("b", "main", "c0ffee", call.key, {}), dice_of(notation).faces())
    total = read_roll(call, shown).total
    events = [
        ActOpened("t1/many", battle.seq + 1, "c0ffee"),
        call,
        DiceRolled(call.key, shown, total, None, "seeded", 1, ALGORITHM),
        SecretRevealed(1, secret.hex()),
    ]
    battle.log.append(battle.line, [Draft(event, "engine", battle.seq + 1) for event in events], battle.seq, 1)
