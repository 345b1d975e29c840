"""Every verb that reads, for every viewer, whatever a battle has been through: what-ifs, corrections, imports."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.cli.main import cli
from events.store.errors import LineUnknown
from events.store.memory import MemoryLog
from events.store.sqlite import SqliteLog
from projections.viewer import SPECTATOR
from replays.audit.exported import take_over
from replays.view import View, ViewsDiffer, open_view

Run = Callable[..., Result]
VIEWERS = ("referee", "orcs", "men", "spectator", "commentator", "commentator/2")
SHEETS = (
    "grubnik: run 31,30\nsnaga: walk 46,10\naldric: walk 34,40\nwilmot: shoot light_crossbow at grubnik",
    "aldric: walk 34,38\nsnaga: walk 46,12",
)
"""Nothing happens in turn 1 to those who are ordered in turn 2, whatever the dice show."""


def wardiary(db: Path, *words: str, given: str | None = None, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, [*words, "--db", str(db)], input=given)
    assert result.exit_code == code, (words, result.output, result.exception)
    assert not isinstance(result.exception, Exception), (words, result.exception)
    return result


def fight(path: Path, battle: str) -> None:
    """Fight into turn 2: posted twice, bookmarked, noted, with orders of both sides that nobody has resolved yet."""
    run = partial(wardiary, path)
    run("new", battle, "--scenario", "dresda_skirmish", "--referee", "absent")
    run("note", battle, "truce on Sunday?", "--seat", "orcs", "--to", "men")
    run("next", battle)
    run("bookmark", battle, "morning")
    run("orders", battle, "-", given=SHEETS[0])
    while turn_of(run, battle) < 2:
        run("next", battle)
    run("post", battle, "--turn", "1", "--for", "mail")
    run("post", battle, "--turn", "1", "--for", "discord", "--as", "men")
    run("orders", battle, "-", given=SHEETS[1])


def turn_of(run: Run, battle: str) -> int:
    turn: int = json.loads(run("show", battle, "--json").stdout)["state"]["table"]["turn"]
    return turn


def order_in(run: Run, battle: str, words: str) -> str:
    """Return the event of an order that was given in these words."""
    told = run("log", battle, "--json").stdout.splitlines()
    return str(next(each["seq"] for each in map(json.loads, told) if each["body"].get("text") == words))


def what_if_then_undo(run: Run, battle: str) -> None:
    run("branch", battle, "if", "--at", "t1/move", "--seat", "men")
    run("next", battle, "--line", "if")
    run("undo", battle, "t1/move", "--why", "too far", "--dice", "keep")
    run("next", battle)


def amended(run: Run, battle: str) -> None:
    walk = order_in(run, battle, "aldric: walk 34,40")
    run("amend", battle, walk, "--text", "aldric: walk 34,39", "--why", "misread", "--dice", "keep")


def adopted_back(run: Run, battle: str) -> None:
    amended(run, battle)
    run("adopt", battle, "main", "--why", "it was right")


def nothing_more(run: Run, battle: str) -> None:
    """Leave the battle as it is."""


PASTS: dict[str, Callable[[Run, str], None]] = {
    "two battles": nothing_more,
    "what-if, then undo": what_if_then_undo,
    "amended": amended,
    "adopted back": adopted_back,
    "imported": what_if_then_undo,
}


@pytest.fixture(scope="module")
def fought(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("views") / "war.db"
    for battle in ("first", "second"):
        fight(path, battle)
    return path


@pytest.fixture(scope="module")
def files(fought: Path) -> dict[str, Path]:
    """One file for each past; the battle that is looked at is the second one in it."""
    found = {}
    for number, (name, happen) in enumerate(PASTS.items()):
        path = fought.with_name(f"{number}.db")
        shutil.copy(fought, path)
        happen(partial(wardiary, path), "second")
        if name == "imported":
            record = path.with_suffix(".jsonl")
            wardiary(path, "export", "second", str(record))
            path = path.with_name("imported.db")
            for each in ("first", "second"):
                export = record if each == "second" else path.with_suffix(".first.jsonl")
                if each == "first":
                    wardiary(fought, "export", "first", str(export))
                wardiary(path, "import", str(export))
        found[name] = path
    return found


def readings(folder: Path, lines: Sequence[str], viewer: str) -> Iterator[list[str]]:
    """Every way of reading a battle that needs no more than its name."""
    svg, page, record, calendar = (str(folder / name) for name in ("a.svg", "a.html", "a.jsonl", "a.ics"))
    for point in ("", "-1", "t1", "t1/move", "morning", "3"):
        yield ["show", "second", "--at", point]
    yield ["show", "second", "--json"]
    yield ["show", "second", "--svg", svg]
    for form in ([], ["--json"], ["--from", "t1"]):
        yield ["log", "second", *form]
        yield ["replay", "second", *form]
    yield ["replay", "second", "--html", page]
    for seq in ("1", "9", "13"):
        yield ["explain", "second", seq]
    yield ["lines", "second"]
    for other in lines:
        yield ["compare", "second", "main", other]
        yield ["log", "second", "--line", other]
        yield ["show", "second", "--line", other]
    for form in ([], ["--luck"], ["--fairness"], ["--proof"], ["--csv"], ["--line", "main"]):
        yield ["dice", "second", *form]
    yield ["notes", "second"]
    yield ["receipts", "second"]
    yield ["export", "second", record]
    yield ["feed", "second"]
    yield ["feed", "second", "--format", "json"]
    for form in ([], ["--turn", "1"], ["--turn", "1", "--phase", "move"], ["--picture", svg]):
        yield ["post", "second", "--for", "phpbb", "--preview", *form]
    if viewer == "referee":
        yield ["post", "second", "--errata", "--preview"]
        yield ["export", "second", record, "--extract"]
        yield ["ics", "second", calendar]
        yield ["verify", "second"]
        yield ["verify", record]
        yield ["policy", "second"]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("past", PASTS)
def test_every_verb_reads_every_past_for_every_viewer(
    past: str, viewer: str, files: dict[str, Path], tmp_path: Path
) -> None:
    run = partial(wardiary, files[past])
    lines = [each["name"] for each in json.loads(run("lines", "second", "--as", viewer, "--json").stdout)]
    assert "main" in lines
    assert ("if" in lines) == (viewer in ("referee", "men") and past in ("what-if, then undo", "imported"))
    for words in readings(tmp_path, lines, viewer):
        as_whom = [] if words[0] in ("ics", "verify", "policy") or "--errata" in words else ["--as", viewer]
        too_new = viewer == "commentator/2" and {"t1/move", "--phase", "morning"} & {*words}
        told = run(*words, *as_whom, code=1 if too_new else 0).output
        assert ("no point" in told) == bool(too_new)
        assert told.strip() or (viewer == "commentator/2" and "t1" in words), words
    if viewer != "referee":
        assert "hashes of its own" in run("export", "second", "x", "--extract", "--as", viewer, code=2).output


@pytest.mark.parametrize("past", PASTS)
def test_what_is_posted_of_a_turn_is_the_same_for_referee_and_spectator_when_nothing_in_it_is_secret(
    past: str, files: dict[str, Path]
) -> None:
    run = partial(wardiary, files[past])
    told = [
        json.loads(run("post", "second", "--turn", "1", "--for", "mail", "--preview", "--json", "--as", who).stdout)
        for who in ("referee", "spectator")
    ]
    turns = [{**each[0]["turn"], "viewer": "", "digest": ""} for each in told]
    assert turns[0] == turns[1]
    assert turns[0]["orders"]


def test_lines_of_different_views_are_not_compared(files: dict[str, Path]) -> None:
    with SqliteLog(files["amended"], read_only=True) as log:
        whole, part = open_view(log, "second"), open_view(log, "second", viewer=SPECTATOR)
        assert part.root(part.on("main")) == whole.root(whole.on("main"))
        for one, other in ((whole, part.on("main")), (part, whole.on("main")), (whole, open_view(log, "first"))):
            with pytest.raises(ViewsDiffer, match="are different views"):
                one.root(other)


def test_a_view_of_the_players_cannot_be_turned_into_another(files: dict[str, Path]) -> None:
    with SqliteLog(files["two battles"], read_only=True) as log:
        view = open_view(log, "second", viewer="men")
        with pytest.raises(ValueError, match="cannot show what others see"):
            view.seen_by(SPECTATOR)
        with pytest.raises(LineUnknown):
            view.on("if")


def test_a_proven_hash_is_that_of_the_record_or_none(files: dict[str, Path]) -> None:
    with SqliteLog(files["two battles"], read_only=True) as log:
        whole, part = open_view(log, "second"), open_view(log, "second", viewer=SPECTATOR)
        assert part.proven_hash(5) == whole.record(5).hash
        assert part.proven_hash(part.head) == ""
        assert not part.exact


def test_a_view_of_a_copy_elsewhere_shows_the_same(files: dict[str, Path], tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    wardiary(files["amended"], "export", "second", str(record))
    memory = MemoryLog()
    take_over(memory, record)
    with SqliteLog(files["amended"], read_only=True) as log:
        for viewer in VIEWERS:
            assert told_by(open_view(memory, "second", viewer=viewer)) == told_by(
                open_view(log, "second", viewer=viewer)
            )


def told_by(view: View) -> list[str]:
    return [view.caption(frame) for frame in view.frames()]
