"""Dice from elsewhere at the command line: the options that name a log, and what is printed of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from engine.cli.common import emit

if TYPE_CHECKING:
    from replays.outside import OutsideLog

F = TypeVar("F", bound=Callable[..., Any])


def outside_options(command: F) -> F:
    """Add --import, --from, --zone, --aliases and --template (as imported, format, zone, aliases, template)."""
    for option in (
        click.option("--template", metavar="TEXT", help="The report format of a VASSAL module, or the dice of MARTI."),
        click.option(
            "--aliases", type=click.Path(path_type=Path), metavar="FILE", help='TOML: Ann = ["Red", "ann_k"] …'
        ),
        click.option("--zone", metavar="ZONE", help="The time zone of a log without one, such as Europe/Berlin."),
        click.option("--from", "format", metavar="FORMAT", help="What wrote the log; `--from list` names them all."),
        click.option(
            "--import",
            "imported",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="A log of dice from elsewhere.",
        ),
    ):
        command = option(command)
    return command


def list_formats() -> None:
    """Print every format with an example."""
    from replays.outside import FORMATS

    for reader in FORMATS.values():
        click.echo(f"{reader.name:13} {reader.title}: {reader.example}")
        if reader.template:
            click.echo(f"{'':13} needs --template, such as '{reader.template}'")


def import_outside(
    imported: Path,
    format: str | None,  # noqa: A002
    zone: str | None = None,
    aliases: Path | None = None,
    template: str | None = None,
) -> OutsideLog:
    """Read a log of outside dice. Raises `OutsideUnreadable`, also if nobody said what wrote it."""
    from replays.outside import FORMATS, OutsideUnreadable, read_outside

    if not format:
        raise OutsideUnreadable(str(imported), 0, f"say what wrote it with --from: {', '.join(FORMATS)}")
    return read_outside(imported, format, zone, aliases, template)


def show_outside(log: OutsideLog, *, as_json: bool = False) -> None:
    """Print what a log says, roll by roll, what does not hold in it, and what such a log can prove at all."""
    import msgspec

    from projections.ledger_text import as_objects, entry_line

    if as_json:
        emit({**msgspec.to_builtins(log), "entries": as_objects(log.entries)})
        return
    for entry in log.entries:
        click.echo(entry_line(entry))
    for finding in log.findings:
        click.echo(f"! {finding}")
    grades = [sum(entry.certainty == grade for entry in log.entries) for grade in ("dice", "total", "ambiguous")]
    click.echo(
        f"{len(log.entries)} rolls ({grades[0]} with known dice, {grades[1]} with the total only, {grades[2]} that can "
        f"be read in more ways than one), {len(log.findings)} findings"
    )
    click.echo(f"{log.format} reader {log.version}, file SHA-256 {log.digest}")
    click.echo(f"what it can prove: {log.trust}")
