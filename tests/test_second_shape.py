"""A fact that gets a second shape: old battles go on, and every way of reading finds both shapes.

The rooms are copied and two facts of the copy are changed, as a later version would change them: one that every battle
shares, and the one by which a rule set puts its pieces on the field.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli.demo import SCENARIOS

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("events", "projections", "replays", "engine", "wardiary")
PIECES = {
    "dresda": ("dresda.py", "dresda.figure_set", "place"),
    "ice_and_fire": ("ice_and_fire/units.py", "ice_and_fire.unit_placed", "name"),
    "rhand": ("rhand.py", "rhand.fighter_placed", "name"),
}
"""Of each rule set: the file of the fact that makes a piece, its name, and a field that is renamed."""


def give_second_shape(source: Path, name: str, field: str) -> None:
    """Change a fact: its field is called otherwise on the wire, and an upcast reads the first shape."""
    text = source.read_text(encoding="utf-8")
    new = f'tag="{name}@2", rename={{"{field}": "{field}_now"}}'
    assert f'tag="{name}"' in text
    text = text.replace(f'tag="{name}"', new)
    upcast = f'    upcasts: ClassVar = (lambda raw: {{**raw, "{field}_now": raw.pop("{field}")}},)\n'
    at = text.index("    kind: ClassVar", text.index(new))
    source.write_text(text[:at] + upcast + text[at:], encoding="utf-8")


def wardiary(rooms: Path, db: Path, *words: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(rooms), "WARDIARY_DB": str(db)}
    command = [sys.executable, "-m", "wardiary", *words]
    done = subprocess.run(command, cwd=db.parent, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


@pytest.fixture(params=PIECES)
def changed(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    """A rule set, and the rooms of the version that has second shapes."""
    later = tmp_path / "later"
    for room in ROOMS:
        shutil.copytree(ROOT / room, later / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "scenarios", later / "scenarios")
    file, name, field = PIECES[request.param]
    give_second_shape(later / "events" / file, name, field)
    give_second_shape(later / "events" / "facts.py", "table.act_opened", "name")
    return request.param, later


def types_in(rooms: Path, db: Path) -> set[str]:
    return {json.loads(line)["body"]["type"] for line in wardiary(rooms, db, "log", "b", "--json").splitlines()}


def test_a_battle_that_holds_both_shapes_is_played_sought_bookmarked_and_posted(
    changed: tuple[str, Path], tmp_path: Path
) -> None:
    rule_set, later = changed
    db = tmp_path / "war.db"
    wardiary(ROOT, db, "new", "b", "--scenario", SCENARIOS[rule_set], "--referee", "absent")
    wardiary(ROOT, db, "next", "b")
    wardiary(ROOT, db, "bookmark", "b", "before")
    told = wardiary(ROOT, db, "log", "b")
    assert wardiary(later, db, "log", "b") == told
    wardiary(later, db, "next", "b")
    wardiary(later, db, "bookmark", "b", "after")
    piece = PIECES[rule_set][1]
    assert types_in(later, db) >= {"table.act_opened", "table.act_opened@2", piece}
    acts = re.findall(r"— (t1/\w+) —", wardiary(later, db, "log", "b"))[-2:]
    for point in (*acts, "before", "after", "t1", "-1"):
        assert "b / main, event" in wardiary(later, db, "show", "b", "--at", point)
    for act in acts:
        assert wardiary(later, db, "post", "b", "--turn", "1", "--phase", act, "--for", "mail", "--preview")
    assert "main.2 is the battle now" in wardiary(later, db, "undo", "b", "--why", "x", "--dice", "keep")
    wardiary(later, db, "verify", "b", "--adjudicate")
    wardiary(later, db, "new", "new", "--scenario", SCENARIOS[rule_set])
    assert f"{piece}@2" in wardiary(later, db, "log", "new", "--json")
