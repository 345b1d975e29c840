"""The command `wardiary`: its verbs, found one by one, so that none pays for the imports of another."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import Any, NoReturn, TextIO

import click

from engine.cli.advice import advised
from events.errors import DiaryError

SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Play": {
        "demo": ("demo", "Play a whole battle, told as it happens."),
        "new": ("play", "Open a battle from a scenario file."),
        "battles": ("look", "List the battles of the file."),
        "order": ("orders", "Submit one order."),
        "orders": ("orders", "Submit a sheet of orders, or a post with orders in it, all or nothing."),
        "withdraw": ("orders", "Withdraw orders that wait."),
        "next": ("play", "Resolve up to the next point where a person must act."),
        "roll": ("play", "See or give the dice that are waited for."),
        "rule": ("play", "See or answer the questions put to the referee."),
        "roster": ("record", "Write the survivors to a roster file for the next battle."),
    },
    "Look back": {
        "show": ("look", "Show the field at any point."),
        "log": ("look", "Tell the battle event by event."),
        "explain": ("look", "Tell why an event came out as it did."),
        "replay": ("replay", "Step through a battle."),
        "branch": ("lines", "Open a what-if line."),
        "lines": ("lines", "List the lines of a battle."),
        "compare": ("lines", "Lay two lines side by side."),
        "bookmark": ("lines", "Give a point of the battle a name."),
    },
    "Correct": {
        "undo": ("corrections", "Take back what was done, as a ruling."),
        "strike": ("corrections", "Take acts out of the middle; later ones are played again."),
        "amend": ("corrections", "Replace an order, a die, or add a forgotten modifier."),
        "fact": ("corrections", "Let the referee set a fact."),
        "adopt": ("corrections", "Make another line the battle."),
        "settle": ("corrections", "Settle what a correction could not play again."),
        "edition": ("other_rules", "Go on by another edition, other tables or other options."),
        "may": ("permission", "Tell whether a seat may correct something, and why not."),
        "ask": ("permission", "Ask for a correction that needs consent."),
        "consent": ("permission", "Consent to a correction, or refuse it."),
    },
    "Play by post": {
        "seat": ("seats", "See who plays which seat, or let somebody take one."),
        "note": ("seats", "Put words beside the record, for all eyes or for some."),
        "notes": ("seats", "Read the notes."),
        "reveal": ("orders", "Submit the text behind a digest that was given as an order."),
        "standing": ("orders", "Leave orders for the case that none are given."),
        "receipts": ("orders", "List what was submitted, with receipts."),
        "call": ("deadlines", "Call for orders: until when, in which time zone."),
        "ready": ("deadlines", "Say that a seat is done with its orders."),
        "due": ("deadlines", "Tell what is open, who is missing, when reminders are due."),
        "tick": ("deadlines", "Move battles on whose time has come; for cron."),
        "extend": ("deadlines", "Move the deadline that is open, as a ruling."),
        "freeze": ("deadlines", "Stop the calendar, as a ruling."),
        "unfreeze": ("deadlines", "Let the calendar go on, as a ruling."),
        "ics": ("deadlines", "Write the deadlines as a calendar file."),
        "post": ("post", "Write a turn for a forum, Discord or mail; --errata for what a ruling changed."),
        "feed": ("feed", "Write a battle as a feed, Atom or JSON."),
        "outbox": ("mail", "List the messages on their way out."),
        "deliver": ("mail", "Send what is in the outbox: mail, webhooks, files; for cron."),
    },
    "Dice": {
        "dice": ("dice", "Every die on record: ledger, luck, fairness, proof; also of dice thrown elsewhere."),
        "seed": ("play", "Mix a seat's own words into all later dice."),
        "policy": ("dice", "Say whether dice may be set aside at this table."),
        "recommit": ("dice", "Let the dice come from a new root, as a ruling."),
        "reveal-dice": ("dice", "Reveal the root of the dice of a battle that is over."),
        "beacon": ("dice", "Mix a public beacon, named beforehand, into the dice."),
    },
    "Rules": {
        "rules": ("book", "Look up a rule, or the orders of a rule set."),
        "tables": ("book", "Check a set of tables, or copy the ones that come with a rule set."),
    },
    "The record": {
        "verify": ("record", "Check the chain and the dice; --adjudicate runs the rules again."),
        "export": ("record", "Write a battle to a file of its own."),
        "import": ("record", "Take over an exported battle."),
        "doctor": ("upkeep", "Look after the file: guards, integrity, durability, snapshots."),
        "backup": ("upkeep", "Copy the whole file while it is in use, and check the copy."),
    },
}
"""The verbs by what they are for, in the order in which one meets them: module and line in the help."""

VERBS = {name: verb for section in SECTIONS.values() for name, verb in section.items()}

OLD_VERBS = {
    "stir": "seed",
    "judge": "verify BATTLE --adjudicate",
    "film": "replay BATTLE --html FILE",
    "hand-in": "orders",
    "handin": "orders",
    "drill": "demo",
}
OLD_OPTIONS = {"--judge": "--adjudicate", "--film": "--html"}
"""Names of the first version, with the ones that stand in their place."""


class Verbs(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order in which one meets them."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one verb."""
        if cmd_name not in VERBS:
            return None
        module = import_module(f"engine.cli.{VERBS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name.replace("import", "import_").replace("-", "_"))
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest verbs when one is not known."""
        if args and args[0] in OLD_VERBS:
            ctx.fail(f"{args[0]!r} is now `wardiary {OLD_VERBS[args[0]]}`")
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], VERBS, 3)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            ctx.fail(f"no verb {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs from the table above, without importing any."""
        for title, verbs in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, text) for name, (_, text) in verbs.items()], col_max=9)

    def main(self, args: Sequence[str] | None = None, *more: Any, **kwargs: Any) -> Any:
        """Run, and turn every error that we raise on purpose into one clear line: exit code 1, wrong usage 2."""
        open_closed_streams()
        tell_everything(sys.stdout, sys.stderr)
        words = [as_unicode(word) for word in (sys.argv[1:] if args is None else args)]
        as_json = "--json" in words[: words.index("--") if "--" in words else None]

        def refuse(code: int, name: str, *problems: object) -> NoReturn:
            self.refuse(problems, code, name, as_json=as_json)

        try:
            code = super().main(words or ["--help"], *more, **{**kwargs, "standalone_mode": False})
        except UnicodeEncodeError:
            refuse(2, "usage", "an argument is not valid UTF-8")
        except DiaryError as error:
            refuse(1, error.code, *(getattr(error, "problems", None) or (error,)))
        except click.UsageError as error:
            help_of = f"; see `{error.ctx.command_path} --help`" if error.ctx is not None else ""
            refuse(2, "usage", f"{usage_problem(error)}{help_of}")
        except click.ClickException as error:
            refuse(error.exit_code, "file", error.format_message())
        except (click.Abort, KeyboardInterrupt):
            refuse(1, "stopped", "stopped")
        except BrokenPipeError:
            forget_output()  # whoever read our output has gone: nobody is left to tell
            sys.exit(1)
        except OSError as error:
            if error.filename is None:  # what we write ourselves is named by `engine.output` and by the store
                forget_output()
            where = "standard output cannot be written" if error.filename is None else error.filename
            refuse(1, "file", f"{where}: {error.strerror or error}")
        sys.exit(code if isinstance(code, int) else 0)

    def refuse(self, problems: Iterable[object], code: int, name: str, *, as_json: bool) -> NoReturn:
        """Print each problem on a line of its own and leave; for programs also as one document on standard output.

        `name` is the code of a problem that has none of its own.
        """
        told = [(str(getattr(each, "code", name)), advised(each)) for each in problems]
        for _, words in told:
            click.echo(f"wardiary: {words}", err=True)
        if as_json:
            from engine.answers import Failure, Problem
            from engine.cli.common import emit

            with suppress(OSError):
                emit(Failure(exit_code=code, error=tuple(Problem(code=each, message=words) for each, words in told)))
        sys.exit(code)


def usage_problem(error: click.UsageError) -> str:
    """Return what is wrong with how a verb was called; an option that had another name is answered by its new one."""
    if isinstance(error, click.NoSuchOption) and error.option_name in OLD_OPTIONS:
        return f"{error.option_name} is now {OLD_OPTIONS[error.option_name]}"
    return error.format_message().rstrip(".")


def as_unicode(word: str) -> str:
    r"""Read a word of the command line as UTF-8 where the system's locale could not; other words stay as they are.

    >>> as_unicode("gr\udcc3\udcb6\udcc3\udc9fe")
    'größe'
    """
    try:
        return word.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeDecodeError:
        return word


def open_closed_streams() -> None:
    """Put an empty stream in the place of each that the caller has closed (`<&-`): so it reads as an empty file."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - for as long as the program runs
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def forget_output() -> None:
    """Throw away what standard output has not taken: Python would try to write it once more at its end."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        return


def tell_everything(*streams: TextIO) -> None:
    """Let streams that cannot write a character write its number instead: output never breaks off."""
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="wardiary", prog_name="wardiary")
def cli() -> None:
    """The official record of a tabletop battle.

    Every order and roll is an event in one SQLite file (./war.db, or --db, or WARDIARY_DB). Nothing in it is ever
    changed; every state follows from it; every die can be checked.
    """
