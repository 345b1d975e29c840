"""The verb `replay`: walk through a battle on the terminal, or write it as an HTML replay."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from engine.cli.common import as_option, db_option, json_option, line_option, open_view, print_label
from engine.cli.output import write_and_tell

if TYPE_CHECKING:
    from replays.stepper import Stepper
    from replays.view import View

_HELP = """\
Enter next      b back         a next phase     42, -1, t3, t3/move, a bookmark, a time: go there
t next turn     T turn back    r [SEAT] next roll, of a seat     p PIECE next event about a piece
f the field     w why          l last roll      k KIND next event of a kind, such as ruling
play [SPEED]    goes on by itself, so many events a second, until Ctrl-C
j POINT goes to a point that reads like a word above     ? this help     q quit"""
_SPEED = 2.0


@click.command()
@click.argument("battle")
@click.option("--from", "start", default="0", metavar="POINT", help="Begin after this point.")
@click.option("--speed", type=click.FloatRange(min=0.1, max=1000), help="Go on by itself, so many events a second.")
@click.option(
    "--html", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write the battle as one HTML page."
)
@as_option
@line_option
@json_option
@db_option
def replay(
    battle: str, start: str, speed: float | None, html: Path | None, viewer: str, line: str, as_json: bool, db: str
) -> None:  # fmt: skip
    """Walk through a battle: forwards, backwards, to any point. Without a terminal, everything is told in a row.

    With --html the battle becomes one HTML page with the field, the captions and the reasons, to be stepped through in
    any browser. It fetches nothing from anywhere.
    """
    from replays.points import find_point
    from replays.stepper import Stepper

    with open_view(db, battle, viewer, line) as view:
        first = find_point(view, start)
        if html is not None:
            _write_html(view, html)
        elif as_json:
            _print_json(view, first)
        elif speed is not None or not sys.stdin.isatty():
            _print_all(view, first, speed)
        else:
            Console(Stepper(view, first)).run()


def _write_html(view: View, path: Path) -> None:
    from engine.cli.look import rule_text
    from replays.html_replay import html_replay

    fault = view.fault()
    page = html_replay(view, lambda rule: rule_text(view.fold.name, rule)).encode()
    mark = f", {view.mark}" if view.mark else ""
    told = f"{path}: {view.readable} events of {view.battle} / {view.name}{mark}, {-(-len(page) // 1024)} KiB"
    write_and_tell(path, page, told)
    if fault is not None:
        raise fault


def _print_all(view: View, first: int, speed: float | None) -> None:
    print_label(view)
    for step in view.frames(first):
        click.echo(f"{step.record.seq:5d}  {view.caption(step)}")
        if speed is not None:
            time.sleep(1 / speed)
    click.echo(view.picture(view.head))


def _print_json(view: View, first: int) -> None:
    """One object a line: where the step leads, its caption, and the digest of the state after it."""
    import msgspec

    for step in view.frames(first):
        told = {
            "seq": step.record.seq,
            "type": step.record.type,
            "caption": view.caption(step),
            "digest": view.fold.digest(step.after),
            "played": view.played,
        }
        click.echo(msgspec.json.encode(told).decode())


class Console:
    """Walks through a line at a person's word, and tells what is there."""

    def __init__(
        self,
        walker: Stepper,
        say: Callable[[str], object] = click.echo,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.walker = walker
        self.say = say
        self.sleep = sleep

    def run(self) -> None:
        """Read a word, move, tell; until q or the end of input."""
        if label := self.walker.view.label:
            self.say(label)
        self.say(_HELP)
        self.tell()
        while True:
            try:
                word = click.prompt("", default="", show_default=False, prompt_suffix=self.prompt).strip()
            except (click.Abort, EOFError):
                return
            if word == "q":
                return
            self.obey(word)

    @property
    def prompt(self) -> str:
        """Where one stands, and whether that was played."""
        view = self.walker.view
        mark = f" {view.mark}" if view.mark else ""
        return f"{view.name}{mark} {self.walker.at}/{self.walker.head}> "

    def obey(self, word: str) -> None:
        """Do what a word says, then tell where that led."""
        walker = self.walker
        match word.split(maxsplit=1):
            case [] | ["n"]:
                self.moved(walker.forward(), "this is the end")
            case ["b"]:
                self.moved(walker.back(), "this is the beginning")
            case ["t"]:
                self.moved(walker.next_turn(), "no later turn")
            case ["T"]:
                self.moved(walker.turn_back(), "no earlier turn")
            case ["a"]:
                self.moved(walker.next_act(), "no later phase")
            case ["r"]:
                self.moved(walker.next_roll(), "no later roll")
            case ["r", seat]:
                self.moved(walker.next_roll(seat), f"no later roll of {seat}; seats: {self.seats()}")
            case ["p", piece]:
                self.moved(walker.next_about(piece), f"no later event about {piece}")
            case ["k", kind]:
                self.moved(walker.next_of_kind(kind), f"no later event of kind {kind}; kinds: {_kinds()}")
            case ["play"]:
                self.play(_SPEED)
            case ["play", speed]:
                self.play(_positive(speed))
            case _:
                self.look_or_jump(word)

    def look_or_jump(self, word: str) -> None:
        """Look at something where one stands, or take the word for a point."""
        match word.split(maxsplit=1):
            case ["f"]:
                self.say(self.walker.view.picture(self.walker.at))
            case ["w"]:
                self.explain()
            case ["l"]:
                step = self.walker.last_roll
                self.say("no dice yet" if step is None else self.walker.tell(step))
            case ["?"]:
                self.say(_HELP)
            case ["j", point]:
                self.jump(point)
            case _:
                self.jump(word)

    def jump(self, point: str) -> None:
        """Go to a point, or say what is wrong with it."""
        from replays.points import PointUnknown

        try:
            self.walker.jump(point)
        except PointUnknown as error:
            self.say(f"{error} (? tells all words)")
            return
        self.tell()

    def moved(self, moved: bool, otherwise: str) -> None:
        """Tell where a move led, or that it led nowhere."""
        if moved:
            self.tell()
        else:
            self.say(otherwise)

    def play(self, speed: float) -> None:
        """Go on by itself until the end or Ctrl-C."""
        if speed <= 0:
            self.say("a speed is a number of events a second, such as 4 or 0.5")
            return
        try:
            while self.walker.forward():
                self.tell()
                self.sleep(1 / speed)
        except KeyboardInterrupt:
            self.say("")

    def explain(self) -> None:
        """Tell why the event came out as it did."""
        from replays.explain import explain_event

        walker = self.walker
        if not walker.at:
            self.say("nothing has happened yet")
            return
        for part in explain_event(walker.view, walker.at).parts:
            self.say(f"{part.seq:5d}  {part.caption}")
            for reason in part.reasons:
                self.say(f"       {reason}")

    def seats(self) -> str:
        """The ids of the seats."""
        return ", ".join(seat.id for seat in self.walker.state.table.seats) or "none yet"

    def tell(self) -> None:
        """Tell the event that led here."""
        step = self.walker.step
        self.say("    0  before the first event" if step is None else self.walker.tell(step))


def _kinds() -> str:
    from events.event import Kind

    return ", ".join(get_args(Kind))


def _positive(text: str) -> float:
    """Read a speed; 0 for what is none."""
    try:
        speed = float(text)
    except ValueError:
        return 0
    return speed if 0 < speed <= 1000 else 0
