"""The whole command line on a log in memory: a second store needs no special case above it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from unittest import mock

import pytest
from click.testing import CliRunner

from engine.cli.common import Opening, open_file
from engine.cli.main import VERBS, cli
from events.store.errors import LogUnusable
from events.store.log import Log
from events.store.memory import MemoryLog

NOW = 1_790_000_000_000_000
RECIPIENTS = '[recipients.ann]\nviewer = "red"\nmail = "ann@example.org"\n'
SCRIPT = """\
new b --scenario rhand_duel
battles
seat b red --player Ann
note b hello --seat red --request n1
note b hello --seat red --request n1
note b else --seat red --request n1
notes b
seed b red roses
recommit b --why none
reveal-dice b
policy b forbidden --why fair
beacon b
beacon b quicknet 30000000
beacon b
standing b red -
call b --until +48h --zone UTC --to people.toml
due b
extend b --by 24h --why late
freeze b --why snow
unfreeze b --why thaw
ready b red
receipts b
tick b
ics b deadlines.ics
order b red nonsense
orders b -
next b
order b red tomas: pass
withdraw b red
next b
next b
note b more
show b
show b --as red
log b
explain b 2
replay b
roll b
rule b
bookmark b start --at 2
branch b whatif --at -1 --as red --why try
lines b
compare b main whatif
may b referee --what undo
undo b --preview --why mistake --dice keep
undo b --why mistake --dice keep
lines b
log b
adopt b --why sorry
log b
strike b 22 --why wrong --dice keep
amend b 22 --text x --why wrong --dice keep
fact b nonsense --why so
settle b
edition b --why new
ask b red undo --why so
consent b blue 9
reveal b red x
demo rhand --brief
post b --for discord
feed b
outbox b
deliver --to people.toml --out sent
outbox
dice b
verify b
verify b --adjudicate
roster b roster.toml
export b b.jsonl
import b.jsonl --db other.db
log b --db other.db
rules rhand
tables rhand
doctor --rebuild
backup copy.db
battles
"""
ALONE = ("backup", "doctor", "demo")
"""Verbs that say what kind of store it is, or make one of their own."""


class MemoryStores:
    """Stores that last as long as the test, each under the name that --db gives it."""

    def __init__(self) -> None:
        self.logs: dict[str, MemoryLog] = {}

    @contextmanager
    def __call__(self, db: str, opening: Opening) -> Iterator[Log]:
        if db not in self.logs and not (opening.write and opening.make):
            raise LogUnusable(f"there is no war diary at {db}: `wardiary new` makes one, --db names another")
        yield self.logs.setdefault(db, MemoryLog())


def told(folder: Path, opener: object, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, str, str]]:
    """Run the script in a folder; return what each command said."""
    folder.mkdir()
    (folder / "people.toml").write_text(RECIPIENTS, encoding="utf-8")
    monkeypatch.chdir(folder)
    stream = Random(7)
    monkeypatch.setattr(secrets, "token_bytes", lambda nbytes=None: stream.randbytes(nbytes or 32))
    found = []
    with mock.patch("engine.clock.time.time_ns", return_value=NOW * 1000):
        for line in SCRIPT.splitlines():
            words = re.findall(r"\S+", line)
            ran = CliRunner().invoke(cli, words, obj=opener, input="")
            assert ran.exception is None or isinstance(ran.exception, SystemExit), (line, ran.exception)
            found.append((line, ran.exit_code, ran.stdout, ran.stderr))
    return found


def test_every_verb_says_the_same_on_a_log_in_memory_as_on_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {line.split()[0] for line in SCRIPT.splitlines()} == set(VERBS)
    stores = MemoryStores()
    on_file = told(tmp_path / "file", open_file, monkeypatch)
    in_memory = told(tmp_path / "memory", stores, monkeypatch)
    for one, other in zip(on_file, in_memory, strict=True):
        if one[0].split()[0] not in ALONE:
            assert one == other
    assert {"war.db", "other.db"} < set(stores.logs)
    assert not (tmp_path / "memory" / "war.db").exists()
    (refused,) = [each for each in in_memory if each[0].startswith("backup")]
    assert (refused[1], "export its battles" in refused[3]) == (1, True)
    (healthy,) = [each for each in in_memory if each[0].startswith("doctor")]
    assert (healthy[1], "in memory" in healthy[2]) == (0, True)
    done = {line for line, code, *_ in on_file if code == 0}
    assert len(done) > len(on_file) * 2 // 3, "the script is refused too often to show anything"


def test_what_is_not_there_is_told_as_for_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = [CliRunner().invoke(cli, ["battles"], obj=opener).stderr for opener in (open_file, MemoryStores())]
    assert said[0] == said[1]
