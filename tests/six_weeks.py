"""A battle of six weeks as people play it by post: a referee and two players who use nothing but text.

The players write posts; the referee pastes them, and whatever they do is a line on the command line. The clock is that
of a test: it goes from Sunday to Sunday, over the night in which the clocks of New York are put forward.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from click.testing import CliRunner
from freezegun import freeze_time
from msgspec import Struct

from engine.cli.main import cli
from engine.scenario_files import find_scenario

SUNDAYS = ("2026-02-22", "2026-03-01", "2026-03-08", "2026-03-15", "2026-03-29", "2026-04-05")
"""The deadlines, 18:00 on the wall of New York each. The clocks are put forward on the third; 03-22 falls out."""

_SALT = 16
BOARDS = ("phpbb", "discord")
OPTIONS = '\n[options]\norders = "sealed"\nlate_orders = "kept"\nmissing_orders = "drill"\n'
BOOK = """
[recipients.bob]
viewer = "{blue}"
mail = "bob@example.org"

[recipients.club]
viewer = "spectator"
board = "phpbb"
"""
POST = """[quote="The referee"]Orders for week {week}, please. {canary}[/quote]
((Hello all! I think of {canary} all day)) :-)
[ooc]never tell anybody
about {canary}[/ooc]
{orders}
OOC: {canary}, as I said
--{blank}
{canary}
"""


class Script(Struct, frozen=True):
    """What is played. `red` and `blue` are the seats; `weeks` has for each week the sheet of red and that of blue.

    `edits` are what is changed in the scenario, so that nobody dies too soon. `turns` are those that the weeks belong
    to. `standing` is what blue leaves for the third week. `ruling` amends a roll, by its key, to other faces.
    """

    scenario: str
    red: str
    blue: str
    turns: tuple[int, ...]
    weeks: tuple[tuple[str, str], ...]
    standing: str
    ruling: tuple[str, str]
    edits: tuple[tuple[str, str], ...] = ()


class Game:
    """The table of a script in a folder of its own, and all that was posted."""

    def __init__(self, script: Script, path: Path) -> None:
        self.script, self.path = script, path
        self.clock: Any = None
        self.week = 0
        self.hidden: dict[str, list[str]] = {script.red: [], script.blue: []}
        self.posts: list[dict[str, Any]] = []
        self.db = ("--db", str(path / "war.db"))
        book = path / "who.toml"
        book.write_text(BOOK.format(blue=script.blue), encoding="utf-8")
        self.to = ("--to", str(book))

    # ------------------------------------------------------------------------------------------------ the desk

    def run(self, verb: str, *words: str, given: str | None = None, code: int = 0) -> str:
        """Type a line, and return what is answered."""
        result = CliRunner().invoke(cli, [verb, *words, *self.db], input=given)
        assert result.exit_code == code, (verb, words, result.output, result.exception)
        return str(result.output)

    def at(self, utc: str) -> None:
        """Let it become a time: `2026-02-18 12:00`, in UTC."""
        self.clock.move_to(utc)

    def posted(self, *words: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.run("post", "b", *words, "--json"))
        self.posts += found
        return found

    def shown(self, *words: str) -> list[str]:
        """Return posts that are only looked at."""
        found = json.loads(self.run("post", "b", *words, "--preview", "--json"))
        return ["\n\n".join(each["parts"]) for each in found]

    def events(self, name: str, line: str = "") -> list[dict[str, Any]]:
        """Return the events of a type on a line."""
        where = ("--line", line) if line else ()
        found = [json.loads(each) for each in self.run("log", "b", "--json", *where).splitlines()]
        return [each for each in found if each["body"]["type"] == name]

    def supplied(self) -> list[tuple[str, str]]:
        """Return for whom orders were supplied, and out of what."""
        return [(each["body"]["seat"], each["body"]["source"]) for each in self.events("order.supplied")]

    # ------------------------------------------------------------------------------------------------ the players

    def begin(self, week: int, day: str) -> tuple[str, str]:
        """Begin a week at noon of a day; return what red and blue want to order in it."""
        self.week = week
        self.at(f"{day} 12:00")
        return self.script.weeks[week - 1]

    def canary(self, seat: str) -> str:
        return f"XQ7-{seat.upper()}-{self.week}"

    def hand_in(self, seat: str, sheet: str, *flags: str) -> str:
        """Paste a player's post. What is new in it is hidden from all others until it is revealed."""
        lines = [line.strip() for line in sheet.strip().splitlines()]
        post = POST.format(
            blank=" ", week=self.week, canary=self.canary(seat), orders="\n".join(f"– {line}" for line in lines)
        )
        told = self.run("orders", "b", "-", "--seat", seat, "--from-post", *flags, given=post)
        known = self.run("log", "b", "--as", "spectator")
        self.hidden[seat] += [line for line in lines if line not in known]
        self.hidden[seat] += re.findall(r"\(salt ([0-9a-f]{32})\)", told)
        return told

    def note(self, seat: str) -> None:
        self.run("note", "b", f"for the referee alone: {self.canary(seat)}", "--seat", seat, "--to", "referee")

    def leaks(self) -> list[tuple[str, str, str]]:
        """Return what somebody can read of what is hidden from him: viewer, verb, words."""
        found = []
        for viewer in (self.script.red, self.script.blue, "spectator"):
            views = dict(self.views(viewer))
            for seat, secrets in self.hidden.items():
                words = [] if seat == viewer else [*secrets, f"XQ7-{seat.upper()}"]
                found += [(viewer, verb, word) for verb, text in views.items() for word in words if word in text]
        return found

    def views(self, viewer: str) -> Iterator[tuple[str, str]]:
        """Go through what a viewer can get."""
        as_him = ("--as", viewer)
        for verb in ("show", "receipts", "notes", "lines"):
            yield verb, self.run(verb, "b", *as_him)
        copy = self.path / f"copy-{viewer}.jsonl"
        self.run("export", "b", str(copy), *as_him)
        yield "export", copy.read_text(encoding="utf-8")
        yield "log", self.run("log", "b", "--json", *as_him)
        turn = str(self.script.turns[self.week - 1])
        yield "post", self.run("post", "b", "--turn", turn, "--for", "mail", "--preview", *as_him)
        yield "feed", self.run("feed", "b", "--format", "json", *as_him)
        yield "ics", self.run("ics", "b", "-")
        yield "due", self.run("due", "b", "--json")
        yield "seat", self.run("seat", "b")

    def own_words_are_seen(self) -> None:
        """Hold the search for leaks to what it must find: a seat's own secrets, in its own receipts."""
        for seat, secrets in self.hidden.items():
            own = self.run("receipts", "b", "--as", seat)
            assert all(word in own for word in secrets), (seat, secrets, own)

    # ------------------------------------------------------------------------------------------------ the calendar

    def almost_time(self) -> None:
        """Come to the last second before the deadline of the week: nobody can read what others have sealed."""
        found = self.leaks()
        assert found == [], found[:4]
        self.at(f"{due(self.week)}:59:59")
        told = self.run("tick", "b")
        assert ", in 1 s" in told, told

    def deadline_comes(self) -> str:
        """Let the clock resolve the week, some minutes later, once: what was hidden is out then."""
        hour = int(due(self.week)[-2:]) + 1
        self.at(f"{due(self.week)[:-2]}{hour}:05:00")
        told = self.run("tick", "b", *self.to)
        assert "is resolved: the time is up" in told, told
        assert "is resolved" not in self.run("tick", "b")
        self.hidden = {seat: [] for seat in self.hidden}
        return told

    def post_turn(self) -> None:
        """Post the turn of the week: to two boards, for everybody and for each side; to the outbox, too."""
        turn = ("--turn", str(self.script.turns[self.week - 1]))
        boards = [word for board in BOARDS for word in ("--for", board)]
        for viewer in ("spectator", self.script.red, self.script.blue):
            self.posted(*turn, *boards, "--as", viewer)
        self.run("post", "b", *turn, *self.to)
        self.run("feed", "b", "--authority", "example.org", "--out", str(self.path / "feed.atom"))
        self.run("ics", "b", str(self.path / "b.ics"))
        self.run("deliver", *self.to, "--out", str(self.path / "out"))


def drawn_for(script: Script) -> Callable[[int], bytes]:
    """Return what secrets and salts are drawn from, the same in each game: the salts of orders go into its dice."""
    salts = Random(script.scenario)
    return lambda count: bytes(count) if count > _SALT else salts.randbytes(count)


def due(week: int) -> str:
    """Return the last hour before a deadline, in UTC."""
    sunday = SUNDAYS[week - 1]
    return f"{sunday} {21 if sunday >= '2026-03-08' else 22}"


@contextmanager
def sat_down(script: Script, path: Path) -> Iterator[Game]:
    """Open a script's battle on a Monday, with the dice of a test."""
    game = Game(script, path)
    scenario = path / "scenario.toml"
    text = find_scenario(script.scenario).read_text(encoding="utf-8")
    absent = "" if "\nreferee = " in text else 'referee = "absent"\n'
    for old, new in script.edits:
        assert old in text
        text = text.replace(old, new)
    scenario.write_text(absent + text + OPTIONS, encoding="utf-8")
    with (
        mock.patch("engine.dice.source.system.token_bytes", drawn_for(script)),
        freeze_time("2026-02-16 12:00:00") as clock,
    ):
        game.clock = clock
        game.run("new", "b", "--scenario", str(scenario))
        yield game
