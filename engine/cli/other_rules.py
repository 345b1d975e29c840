"""The verb `edition`, and what judging by other rules has in common with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from engine.cli.acting import act_options, open_door, print_step, told
from engine.cli.common import emit, open_battle, print_label

if TYPE_CHECKING:
    from engine.adjudication.counterfactual import RulesComparison
    from events.store.log import Log

F = TypeVar("F", bound=Callable[..., Any])


def other_rules_options(command: F) -> F:
    """Add what names other rules: --tables, --edition, --option."""
    for option in (
        click.option("--option", "options", multiple=True, metavar="NAME=VALUE", callback=_options, help="An option."),
        click.option("--edition", default="", metavar="EDITION", help="Another installed edition."),
        click.option("--tables", "folder", type=click.Path(path_type=Path, exists=True, file_okay=False),
                     metavar="DIR", help="A referee's own tables."),
    ):  # fmt: skip
        command = option(command)
    return command


def _options(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    for value in values:
        if "=" not in value:
            raise click.BadParameter(f"{value!r}: write NAME=VALUE")
    return tuple((value.partition("=")[0], value.partition("=")[2]) for value in values)


def print_otherwise(
    log: Log, battle: str, line: str, edition: str, folder: Path | None, options: Mapping[str, str], as_json: bool
) -> None:
    """Readjudicate a line by other rules and tell what would have been different. Exit code 1 if anything."""
    import msgspec

    from engine.corrections.edition import compare_rules, rules_for
    from events.commands import AdoptEdition

    table = open_battle(log, battle, line)
    wanted = AdoptEdition(battle=battle, edition=edition, tables=str(folder or ""), options=dict(options), why="")
    step = table.begin_step()
    found = compare_rules(step, rules_for(step, wanted))
    if as_json:
        emit({"ok": not found.differs, "first": found.first, "played": table.line.played, **msgspec.to_builtins(found)})
    else:
        print_label(table.view)
        _tell(found)
    if found.differs:
        raise SystemExit(1)


def _tell(found: RulesComparison) -> None:
    click.echo(
        f"line {found.line}: {found.acts} acts and {found.checks} checks judged by the other rules; "
        f"{found.retargeted} checks have another target or chance"
    )
    if not found.differs:
        click.echo("nothing would have come out differently")
        return
    results = "1 result" if len(found.findings) == 1 else f"{len(found.findings)} results"
    click.echo(f"{results} would differ, the first at event {found.first}")
    for finding in found.findings:
        click.echo(f"  {finding.seq:5d}  was    {finding.recorded}\n         would  {finding.judged}")
    for need in found.needed:
        what = f"other dice would be needed: {need.dice}" if need.dice else "a ruling would be needed"
        click.echo(f"  {need.seq:5d}  {need.act}: {what} for {need.key}; what follows in this act cannot be told")


@click.command()
@click.argument("battle")
@other_rules_options
@click.option("--why", required=True, help="The reason, for the record.")
@click.option("--preview", is_flag=True, help="Show what would have been different; change nothing.")
@click.option("--seat", default="referee", help="Who makes the ruling.")
@act_options
def edition(
    battle: str, folder: Path | None, edition: str, options: tuple[tuple[str, str], ...], why: str, preview: bool,
    seat: str, line: str, expect: int | None, request: str, as_json: bool, db: str,
) -> None:  # fmt: skip
    """Go on by another edition, other tables or other options: a ruling that lists what they make different."""
    from events.commands import AdoptEdition

    if not (folder or edition or options):
        raise click.UsageError("say what is to change: --edition, --tables or --option")
    command = AdoptEdition(
        battle=battle, line=line, seat=seat, edition=edition, tables=str(folder or ""), options=dict(options), why=why,
        expected=expect, request=request,
    )  # fmt: skip
    with open_door(db, write=not preview) as door:
        if preview:
            found = door.preview(command)
            if as_json:
                emit(found)
            elif found.compared is not None:
                _tell(found.compared)
                click.echo("(a preview: nothing was recorded)")
            return
        answer = door.execute(command)
        with told(answer):
            if as_json:
                emit(answer)
                return
            if answer.compared is not None:
                _tell(answer.compared)
            print_step(door.battle(battle, answer.line), answer)
