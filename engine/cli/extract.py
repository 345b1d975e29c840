"""Extracts at the command line: what `verify` tells of one."""

from __future__ import annotations

from pathlib import Path

import click

from engine.cli.common import emit


def tell_extract(path: Path, adjudicate: bool, head: str, as_json: bool) -> None:
    """Check an extract and tell what was found. Raises `RecordBroken` at the first event that does not hold."""
    from replays.audit.extract import verify_extract

    if adjudicate:
        raise click.UsageError(f"{path} is an extract: to be judged a battle must be whole (`wardiary export`)")
    found = verify_extract(path, head)
    if as_json:
        import msgspec

        emit({"ok": True, "extract": True, **msgspec.to_builtins(found)})
        return
    left = found.events - found.kept
    where = f"{found.battle} / {found.line}{'' if found.played else ', NOT PLAYED'}"
    click.echo(f"{where}: an extract, {found.kept} of {found.events} events, each what its hash says")
    click.echo(f"{left} were left out and stand as a hash alone; lines that were taken back are not in it")
    click.echo(
        f"dice: {found.proved} proved from revealed secrets, {found.entered} entered or imported, "
        f"{found.unproved} that the whole record must prove"
    )
    click.echo(f"head of {found.line}: {found.head}")
    click.echo(f"digest of all {found.events} hashes: {found.digest}")
    click.echo(f"where the record is: `wardiary verify {found.battle} --head DIGEST` proves that it holds them all")
