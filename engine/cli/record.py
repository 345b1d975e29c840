"""Verbs for the record itself: verify, export, import, roster, doctor."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.cli.common import (
    as_option,
    db_option,
    emit,
    json_option,
    line_option,
    open_battle,
    open_log,
    open_view,
    progress,
)
from engine.cli.extract import tell_extract
from engine.cli.other_rules import other_rules_options, print_otherwise
from engine.cli.output import FILE, tell_written, write_and_tell

if TYPE_CHECKING:
    from events.store.log import Log
    from events.store.record import Line
    from replays.audit.verify import Verdict


@click.command()
@click.argument("battle")
@click.option("--adjudicate", is_flag=True, help="Run the rules again over the recorded orders and dice.")
@click.option("--head", metavar="DIGEST", help="A digest you kept: the record must still contain it.")
@other_rules_options
@line_option
@json_option
@db_option
def verify(
    battle: str, adjudicate: bool, head: str | None, line: str, as_json: bool, db: str, folder: Path | None,
    edition: str, options: tuple[tuple[str, str], ...],
) -> None:  # fmt: skip
    """Check a battle, or an exported FILE: the chain, every event, every revealed die.

    Prints the digest of each line's last event. Keep it: a record that still contains it was not rewritten since.
    With --adjudicate and other --tables, --option or --edition, the same orders and dice are judged by those: what
    would    have come out differently? Exit code 1 if anything.
    """
    from events.errors import DiaryError
    from replays.audit.extract import is_extract

    if folder or edition or options:
        if not adjudicate:
            raise click.UsageError("--tables, --edition and --option go with --adjudicate")
        with _record(battle, db) as (log, name):
            print_otherwise(log, name, line, edition, folder, dict(options), as_json)
        return
    if line:
        raise click.UsageError("--line goes with --tables, --edition or --option: without them all lines are checked")
    try:
        if is_extract(Path(battle)):
            tell_extract(Path(battle), adjudicate, head or "", as_json)
            return
        if Path(battle).is_file():
            verdict, judged = _verify_file(Path(battle), adjudicate, head)
        else:
            with open_log(db, guarded=False) as log:
                verdict, judged = _verify(log, battle, adjudicate, head)
            with open_log(db):
                pass  # an event that was changed is named first; then guards that are gone
    except DiaryError as error:
        if not as_json:
            raise
        facts = {name: value for name, value in vars(error).items() if isinstance(value, str | int)}
        emit({"ok": False, "code": error.code, "problem": str(error), **facts})
        raise SystemExit(1) from error
    if as_json:
        import msgspec

        emit({"ok": True, **msgspec.to_builtins(verdict), "judged": msgspec.to_builtins(judged)})
        return
    click.echo(f"{verdict.battle}: {verdict.events} events, the chain holds")
    click.echo(
        f"dice: {verdict.proved} proved from revealed secrets, {verdict.unrevealed} to be proved when their turn ends, "
        f"{verdict.entered} entered or imported, {verdict.kept} kept from a line that was put right"
    )
    if verdict.lost:
        click.echo(f"lost: {verdict.lost} rolls whose secret stayed with an earlier keeper of the dice")
    if verdict.unknown:
        click.echo(f"not checked: {verdict.unknown} rolls drawn by an algorithm that this version does not know")
    for each in judged:
        click.echo(f"rules: line {each.line}: {each.acts} acts and {each.orders} orders judged again, nothing differs")
    for line, digest in verdict.heads.items():
        click.echo(f"head of {line}: {digest}")


@contextmanager
def _record(battle: str, db: str) -> Iterator[tuple[Log, str]]:
    """Open the record that is named: a battle of the file, or an exported file."""
    if Path(battle).is_file():
        from events.store.memory import MemoryLog
        from replays.audit.exported import take_over

        memory = MemoryLog()
        yield memory, take_over(memory, Path(battle))
    else:
        with open_log(db) as log:
            yield log, battle


def _verify_file(path: Path, adjudicate: bool, head: str | None) -> tuple[Verdict, list[Any]]:
    from events.store.memory import MemoryLog
    from replays.audit.exported import take_over

    log = MemoryLog()
    with progress("reading", lines_of(path)) as step:
        battle = take_over(log, path, step)
    return _verify(log, battle, adjudicate, head)


def lines_of(path: Path) -> int:
    """Count the lines of a file, to know how long it takes."""
    try:
        with path.open("rb") as file:
            return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))
    except OSError:
        return 0


def _verify(log: Log, battle: str, adjudicate: bool, head: str | None) -> tuple[Verdict, list[Any]]:
    from replays.audit.verify import verify as check

    lines = log.lines(battle)
    length = sum(log.head(line).seq for line in lines)
    with progress("checking", length) as step:
        verdict = check(log, battle, step)
    if head is not None:
        _check_head(log, lines, head)
    return verdict, [_readjudicate(log, line) for line in lines] if adjudicate else []


def _check_head(log: Log, lines: list[Line], head: str) -> None:
    from events.store.errors import RecordBroken
    from replays.audit.extract import contains
    from replays.view import open_view

    view = open_view(log, lines[0].battle)
    for line in view.lines():
        if any(record.hash == head for record in line.records()) or contains(line, head):
            return
    raise RecordBroken(lines[0].name, log.head(lines[0]).seq, f"the record does not contain the digest {head} you kept")


def _readjudicate(log: Log, line: Line) -> Any:
    from engine.adjudication.readjudicate import Readjudicator
    from engine.rules.rule_set import find_rules
    from replays.lines import opening_of

    with progress(f"re-adjudicating {line.name}", log.head(line).seq) as step:
        rules = find_rules(opening_of(log, line.battle).rule_set)
        return Readjudicator(log, line, rules, progress=step).run()


@click.command()
@click.argument("battle")
@click.argument("file", type=FILE, metavar="FILE|-")
@click.option("--extract", is_flag=True, help="Just the facts of one line: no notes, nothing that was taken back.")
@as_option
@line_option
@db_option
def export(battle: str, file: Path, extract: bool, viewer: str, line: str, db: str) -> None:
    """Write a battle to a file of its own: record, lines and tables, without the secrets.

    With --as nothing is in it that VIEWER may not see. Where an order is withheld, the file says so in its place, and
    its hashes are its own.

    With --extract it holds the battle as it stands (or --line) without notes, bookmarks and what was taken back. The
    events kept are unchanged, dice and all, and `wardiary verify FILE` shows that they belong to the record.
    """
    from replays.audit.exported import write_export

    if line and not extract:
        raise click.UsageError("--line goes with --extract: without it all lines are in the file")
    with open_view(db, battle, viewer, line, guarded=False) as view:
        exact = view.exact
        if extract and not exact:
            raise click.UsageError(f"what {viewer} may see has hashes of its own: export it without --extract")
        if extract:
            from replays.audit.extract import write_extract

            _write(file, write_extract(view), view.head)
            mark = f", {view.mark}" if view.mark else ""
            tell_written(file, f"{battle} / {view.name}{mark}: an extract of {view.head} events written to {file}")
            return
        length = sum(each.head - each.own_after for each in view.lines())
        _write(file, write_export(view.log, battle, view.tables()), length)
    mark = "" if exact else f", an extract for {viewer}: its hashes are its own"
    tell_written(file, f"{battle}: {length} events written to {file}{mark}")


def _write(file: Path, texts: Iterable[bytes], length: int) -> None:
    from engine.output import written_whole

    with written_whole(file) as out, progress("exporting", length) as step:
        for text in texts:
            out.write(text)
            step(1)


@click.command(name="import")
@click.argument("file", type=click.Path(path_type=Path))
@db_option
def import_(file: Path, db: str) -> None:
    """Take over an exported battle, after following its chain: all of it with its tables, or nothing."""
    from replays.audit.exported import read_header, take_over

    read_header(file)  # before a file of battles is made for nothing
    with open_log(db, write=True, make=True) as log:
        with progress("taking over", lines_of(file)) as step:
            battle = take_over(log, file, step)
        click.echo(f"{battle}: {log.head(log.line(battle)).seq} events taken over; the chain holds")


@click.command()
@click.argument("battle")
@click.argument("file", type=FILE, metavar="FILE|-")
@line_option
@db_option
def roster(battle: str, file: Path, line: str, db: str) -> None:
    """Write the survivors to a roster file, from which a scenario can take them into the next battle."""
    import tomli_w

    with open_log(db) as log:
        table = open_battle(log, battle, line)
        raw = table.rules.roster(table.situation())
    going_on = "" if table.state.table.ended else " (the battle is not over yet)"
    write_and_tell(file, tomli_w.dumps(raw).encode(), f"roster written to {file}{going_on}")
