"""Records whose chain holds and whose facts do not: they open as far as they can be read, and hurt no other battle."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from click.testing import CliRunner, Result

from engine.cli.main import cli
from engine.rules.rule_set import find_rules
from events.errors import DiaryError
from events.event import Event, Unknown
from events.store.errors import RecordBroken
from events.store.log import Log
from events.store.memory import MemoryLog
from events.store.record import Draft, Recorded
from events.store.sqlite import SqliteLog
from projections.viewer import SPECTATOR
from replays.audit.dice_proof import proof_of
from replays.audit.verify import verify
from replays.html_replay import html_replay
from replays.publish.feed import gather_feed
from replays.view import View, open_view

SETS = ("dresda", "ice_and_fire", "rhand")
ENOUGH = 60
"""How many events of a battle are forged: the first turn and a bit."""
Body = dict[str, Any]


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Recorded]]:
    """The beginning of a whole battle of each rule set."""
    found = {}
    for name in SETS:
        path = tmp_path_factory.mktemp("forged") / "war.db"
        assert CliRunner().invoke(cli, ["demo", name, "--keep", str(path)]).exit_code == 0
        with SqliteLog(path, read_only=True) as log:
            found[name] = list(open_view(log, "demo").records(0, ENOUGH))
    return found


def as_stored(record: Recorded, body: str) -> Event:
    """A fact with the body given, filed under the kind of the record."""
    forged = msgspec.defstruct(
        "Forged", [], bases=(Unknown,), namespace={"kind": record.kind}, frozen=True, tag="forged"
    )
    return cast(Event, forged(name="forged", body=body))


def rewritten(log: Log, name: str, records: Sequence[Recorded], bodies: Sequence[str]) -> None:
    """Record a battle again with other bodies; its chain holds."""
    pairs = list(zip(records, bodies, strict=True))
    for number, (act, step) in enumerate(groupby(pairs, lambda pair: pair[0].act)):
        drafts = [Draft(as_stored(record, body), record.actor, act) for record, body in step]
        if number:
            log.append(log.line(name), drafts, log.head(log.line(name)).seq, pairs[0][0].at)
        else:
            log.begin(name, drafts, pairs[0][0].at)


def everything(log: Log) -> Iterator[Callable[[], object]]:
    """Every way in which a battle is read."""
    for viewer in ("", SPECTATOR):
        view = open_view(log, "b", viewer=viewer)
        yield partial(captions, view)
        yield partial(view.picture, view.readable)
        yield partial(view.scene, view.readable)
        if viewer:
            return  # the rest is made by the same code out of the copy
        yield partial(html_replay, view)
        yield partial(gather_feed, view)
        yield view.all_rolls
        yield view.standings
        yield partial(proof_of, view)


def captions(view: View) -> list[str]:
    return [view.caption(frame) for frame in view.frames()]


def damaged(body: Body) -> Iterator[Body]:
    """The same fact with one field after another gone or changed."""
    for name, value in body.items():
        if name == "type":
            continue
        yield {key: each for key, each in body.items() if key != name}
        match value:
            case str():
                yield {**body, name: "nobody"}
            case bool():
                yield {**body, name: not value}
            case int():
                yield {**body, name: 0 if value else -1}
            case list():
                yield {**body, name: value[:1]}


@pytest.mark.parametrize("rule_set", SETS)
def test_a_forged_fact_ends_no_reading_in_a_traceback(rule_set: str, demos: dict[str, list[Recorded]]) -> None:
    records = demos[rule_set]
    kinds: set[str] = set()
    for place, record in enumerate(records[:-1]):
        if record.type in kinds:
            continue
        kinds.add(record.type)
        for body in damaged(json.loads(record.body)):
            bodies = [each.body for each in records]
            bodies[place] = json.dumps(body)
            log = MemoryLog()
            rewritten(log, "b", records, bodies)
            try:
                for read in everything(log):
                    with suppress(DiaryError):
                        read()
            except DiaryError:
                assert place == 0  # without its opening a battle cannot be looked at


def change(record: Recorded, **fields: object) -> str:
    return json.dumps({**json.loads(record.body), **fields})


@pytest.fixture(scope="module")
def tables() -> tuple[str, str]:
    """The stock tables of Dresda with their digest."""
    _, text = find_rules("dresda").load_tables(None)
    return sha256(text.encode()).hexdigest(), text


@pytest.fixture
def two(demos: dict[str, list[Recorded]], tables: tuple[str, str], tmp_path: Path) -> Path:
    """A file with a battle that names a figure which does not exist, and one that is sound."""
    records = demos["dresda"]
    place = next(at for at, each in enumerate(records) if each.type == "dresda.moved")
    path = tmp_path / "war.db"
    with SqliteLog(path, durability="normal") as log:
        bodies = [each.body for each in records]
        log.keep_document(*tables)
        rewritten(log, "good", records, bodies)
        bodies[place] = change(records[place], figure="nobody")
        rewritten(log, "bad", records, bodies)
        bodies = [body.replace('"dresda.figure_set"', '"dresda.figure_set@2"') for body in bodies]
        rewritten(log, "newer", records, bodies)
    return path


def run(path: Path, *words: str) -> Result:
    result = CliRunner().invoke(cli, [*words, "--db", str(path)])
    assert not isinstance(result.exception, Exception), (words, result.exception)
    return result


@pytest.mark.parametrize("words", [("show", "bad"), ("log", "bad"), ("replay", "bad"), ("replay", "bad", "--json")])
def test_a_record_is_shown_as_far_as_it_can_be_read(words: tuple[str, ...], two: Path) -> None:
    done = run(two, *words)
    assert done.exit_code == 1
    (problem,) = done.stderr.splitlines()
    assert (
        "(dresda.moved version 1) cannot be read: it does not fit the battle before it (KeyError: 'nobody')" in problem
    )
    with SqliteLog(two, read_only=True) as log:
        readable = open_view(log, "bad").readable
    assert str(readable) in done.stdout


def test_a_record_of_a_newer_version_says_what_was_left_out(two: Path) -> None:
    done = run(two, "show", "newer")
    assert done.exit_code == 1
    assert "do not know" not in done.stdout
    assert "types that this version does not know are left out: dresda.figure_set@2" in done.stderr


@pytest.mark.parametrize("verb", ["due", "tick"])
def test_a_battle_that_cannot_be_read_stops_no_other(verb: str, two: Path) -> None:
    done = run(two, verb)
    assert done.exit_code == 1
    assert [line.split(":")[1].strip() for line in done.stderr.splitlines()] == ["bad", "newer"]
    assert "good" in done.stdout
    assert run(two, verb, "good").exit_code == 0
    assert run(two, verb, "bad").exit_code == 1


def test_a_secret_that_is_not_hex_is_named(demos: dict[str, list[Recorded]], tmp_path: Path) -> None:
    records = demos["dresda"]
    place = next(at for at, each in enumerate(records) if each.type == "clock.turn_began")
    body = json.dumps({"type": "clock.secret_revealed", "turn": 1, "secret": "no hex"})
    with SqliteLog(tmp_path / "war.db", durability="normal") as log:
        rewritten(log, "b", records[: place + 1], [each.body for each in records[:place]] + [body])
        with pytest.raises(RecordBroken, match=f"{place + 1}.*secret of turn 1"):
            verify(log, "b")
