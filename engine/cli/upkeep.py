"""Verbs that look after the file of battles: doctor, backup."""

from __future__ import annotations

from pathlib import Path

import click

from engine.cli.common import db_option, emit, json_option, open_log, progress
from engine.cli.output import FILE


@click.command()
@click.option("--rebuild", is_flag=True, help="Delete the snapshots and make new ones.")
@click.option("--against", type=FILE, metavar="BACKUP", help="Check that all that a backup holds is here, too.")
@json_option
@db_option
def doctor(rebuild: bool, against: Path | None, as_json: bool, db: str) -> None:
    """Look after the file: guards, integrity, durability, size; --rebuild makes the snapshots again.

    With --against it is compared with a backup: a file that was put in place by mistake, or that lost its latest steps,
    holds less than its backup does. Exit code 1 if anything is wrong.
    """
    from engine.maintenance import missing_from, rebuild_snapshots
    from replays.lines import opening_of

    with open_log(db, write=rebuild) as log:
        made = {}
        for battle in log.battles() if rebuild else ():
            length = sum(log.head(line).seq for line in log.lines(battle))
            with progress(f"folding {battle}", length) as step:
                made[battle] = rebuild_snapshots(log, battle, opening_of(log, battle).rule_set, step)
        health = log.health()
        missing: list[str] = []
        if against is not None and health.integrity == "ok":
            with open_log(str(against)) as backup:
                missing = missing_from(log, backup)
    if as_json:
        import msgspec

        emit({**msgspec.to_builtins(health), "snapshots_made": made, "missing": missing})
    else:
        held = f"{health.battles} with {health.events} events, {health.snapshots} snapshots"
        size = f"{health.file_bytes:,} bytes, and {health.wal_bytes:,} in the write-ahead log"
        for name, value in (
            ("integrity", health.integrity), ("guards", "in place"), ("durability", health.durability),
            ("battles", held), ("size", size), ("software", health.software),
        ):  # fmt: skip
            click.echo(f"{name:12} {value}")
        for battle, count in made.items():
            click.echo(f"{battle}: {count} snapshots made")
        if against is not None and not missing:
            click.echo(f"{'backup':12} all that {against} holds is here")
    for told in [*filter(None, [health.problem]), *missing]:
        click.echo(f"wardiary: {told}", err=True)
    if health.integrity != "ok" or missing:
        raise SystemExit(1)


@click.command()
@click.argument("file", type=FILE)
@click.option("--replace", is_flag=True, help="Replace an older backup of that name.")
@json_option
@db_option
def backup(file: Path, replace: bool, as_json: bool, db: str) -> None:
    """Copy the whole file of battles, the secrets of its dice included, while it is in use; then check the copy.

    The copy is as the file was at one moment. It is as secret as the file: give nobody a copy, but an export.
    """
    from engine.maintenance import back_up

    with open_log(db) as log:
        done = back_up(log, file, replace=replace)
    if as_json:
        emit(done)
        return
    click.echo(f"{file}: {done.battles} battles with {done.events} events; every chain of the copy holds")
