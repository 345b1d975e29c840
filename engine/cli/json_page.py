"""The page of answers for programs, made from their types: `python -m engine.cli.json_page > docs/json.md`."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click
import msgspec

from engine.adjudication.counterfactual import Finding, Needed, RulesComparison
from engine.answers import (
    Answer,
    Caption,
    Change,
    ChangedRow,
    DeferredInput,
    Failure,
    Pending,
    PendingQuestion,
    PendingRoll,
    Preview,
    Problem,
)
from engine.corrections.permission import Permission
from engine.deadlines.tick import Ticked
from engine.seats.submissions import Receipt
from events.commands import Amend, Strike, Undo
from events.errors import DiaryError

_ROOMS = ("events", "projections", "replays", "engine")
_ANSWERS = (Answer, Pending, PendingRoll, PendingQuestion, Receipt, Preview, Change, ChangedRow, Caption, DeferredInput)
_MORE = (RulesComparison, Finding, Needed, Ticked, Permission, Undo, Strike, Amend)
_HEAD = """# JSON for programs

Every verb that acts prints one JSON document on standard output with `--json`: an `Answer`, or with `--preview` a
`Preview`. `roll` and `rule` without anything to enter print a `Pending`, `tick` a list of `Ticked`, `may` a
`Permission`. These types are stable: fields are added, none is renamed or removed. Numbers of events are whole numbers,
times are whole microseconds UTC.

When a command is refused, nothing is recorded, the exit code is 1 (2 for a usage error), and the document is a
`Failure`; its codes are listed below. The same words stand on standard error, one line for each problem. If a step is
recorded and only the answer cannot be printed, the exit code is 0 and standard error says which events are recorded.

Give `--request KEY` with a key of your own to make repeating safe, and `--expect SEQ` to act only on the battle as you
know it:

    wardiary next ford --act t1/declare --request 7f3a --json

The page is made from the program's own types.
"""


def json_page() -> str:
    """Return the page in Markdown."""
    parts = [_HEAD, "## Answers\n", *map(_section, _ANSWERS), "## Refusals\n", *map(_section, (Failure, Problem))]
    parts += ["## What else stands in them\n", *map(_section, _MORE), "## Codes\n"]
    codes = [f"* `{code}` — {words}" for code, words in sorted(error_codes().items())]
    usage = ["* `usage` — The verb was called wrongly.", "* `file` — A file cannot be read or written."]
    return "\n".join([*parts, *codes, *usage, "* `stopped` — The program was interrupted."]) + "\n"


def _section(kind: Any) -> str:
    """Describe a Struct: its words, then its fields."""
    words = inspect.cleandoc(kind.__doc__ or "")
    tag = kind.__struct_config__.tag
    lines = [f"### {kind.__name__}", "", words, ""]
    if tag is not None:
        lines.append(f'* `type`: always `"{tag}"`')
    hints = get_type_hints(kind)
    lines += [f"* `{field}`: {_type(hints[field])}" for field in kind.__struct_fields__]
    return "\n".join(lines) + "\n"


def _type(hint: Any) -> str:
    """Return a type in words."""
    origin, args = get_origin(hint), get_args(hint)
    if hint is None or hint is type(None):
        return "null"
    if origin is Literal:
        return " or ".join(f"`{msgspec.json.encode(each).decode()}`" for each in args)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return f"list of {_type(args[0])}"
    if origin is tuple:
        return f"list of {' and '.join(map(_type, args))}"
    if origin is dict:
        return f"object of {_type(args[1])}"
    if args:
        return " or ".join(map(_type, args))
    plain = {str: "text", int: "number", bool: "true or false"}
    return plain.get(hint) or f"`{hint.__name__}`"


def error_codes() -> dict[str, str]:
    """Return every code of the error family with what it means."""
    for room in _ROOMS:
        for module in _modules(room):
            import_module(module)
    return {each.code: inspect.cleandoc(each.__doc__ or "").partition("\n\n")[0] for each in _family(DiaryError)}


def _modules(room: str) -> Iterator[str]:
    package = import_module(room)
    found = pkgutil.walk_packages(package.__path__, f"{room}.")
    return (module.name for module in found if "conformance" not in module.name)


def _family(base: type[DiaryError]) -> Iterator[type[DiaryError]]:
    for each in base.__subclasses__():
        if "code" in vars(each) and each.__module__.partition(".")[0] in _ROOMS:
            yield each
        yield from _family(each)


if __name__ == "__main__":
    click.echo(json_page(), nl=False)
