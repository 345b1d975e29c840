"""Verbs about dice: dice (ledger, luck, fairness, proof), policy, beacon."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from engine.cli.acting import act, act_options, open_door
from engine.cli.common import (
    as_option,
    db_option,
    emit,
    json_option,
    open_view,
    progress,
)

if TYPE_CHECKING:
    from engine.battle import Battle
    from projections.dice.ledger import Entry
    from projections.dice.report import DiceReport
    from projections.fold import Bearing
    from replays.view import View


@click.command()
@click.argument("battle", required=False)
@click.option(
    "--import", "outside", type=click.Path(path_type=Path), metavar="FILE", help="Audit a log from elsewhere."
)
@click.option("--from", "format_name", metavar="FORMAT", help="What wrote that log; `--from list` lists them.")
@click.option("--zone", metavar="ZONE", help="The time zone of a log that does not tell it, such as Europe/Berlin.")
@click.option("--aliases", type=click.Path(path_type=Path), metavar="FILE", help="Who is behind each name of that log.")
@click.option("--template", metavar="TEXT", help="How that log writes a roll, for formats that can be set.")
@click.option("--seat", help="Only this seat's rolls.")
@click.option("--piece", help="Only rolls of this piece.")
@click.option("--kind", help="Only rolls of this kind, such as missile or missile/hit.")
@click.option("--turn", type=int, help="Only rolls of this turn.")
@click.option("--line", metavar="NAME", help="Only rolls of this line; without it those of all lines.")
@click.option("--luck", "show_luck", is_flag=True, help="Compare results with exact expectation.")
@click.option("--fairness", "show_fairness", is_flag=True, help="Test the sources of the dice.")
@click.option("--proof", "show_proof", is_flag=True, help="Tell what the dice rest on, and check all that can be.")
@click.option("--key", metavar="KEY", help="Tell how this one seeded roll is worked out.")
@click.option("--find", "printed", metavar="TEXT", help="Tell whether a line that somebody shows is a roll on record.")
@click.option("--stake", "stakes", multiple=True, metavar="PIECE=N", help="Weigh luck: this piece counts N times.")
@click.option("--bad", multiple=True, metavar="KIND", help="In this kind of check success is bad for the roller.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the ledger as CSV.")
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write the whole audit as one page.")
@as_option
@json_option
@db_option
def dice(battle: str | None, db: str, **asked: Any) -> None:
    """List every die ever thrown in a battle, in any line; tell luck, fairness and proof.

    Give a BATTLE, an exported FILE, or --import FILE for dice thrown elsewhere. Without --luck, --fairness or --proof
    the ledger itself is shown.
    """
    if asked["format_name"] == "list":
        _list_formats()
        return
    if (battle is None) == (asked["outside"] is None):
        raise click.UsageError("give a BATTLE, or --import FILE with --from FORMAT")
    if battle is None:
        title, entries, findings, trust = _outside(asked)
        _answer(title, entries, findings, [trust], asked, {})
    elif Path(battle).is_file():
        from events.store.memory import MemoryLog
        from replays.audit.exported import take_over
        from replays.view import open_view as view_of

        log = MemoryLog()
        battle = take_over(log, Path(battle))
        _look(view_of(log, battle, asked["line"] or "", asked["viewer"]), asked)
    else:
        with open_view(db, battle, asked["viewer"], asked["line"] or "") as view:
            _look(view, asked)


def _look(view: View, asked: dict[str, Any]) -> None:
    """Answer from a battle's record."""
    from replays.audit.dice_proof import policy_of, proof_of, recipe_for

    if asked["key"]:
        recipe = recipe_for(view, asked["key"])
        if asked["as_json"]:
            import msgspec

            emit(msgspec.to_builtins(recipe))
            return
        for text in recipe.lines():
            click.echo(text)
        return
    proof: list[str] = []
    if asked["show_proof"] or asked["html"]:
        with progress("checking", sum(line.head for line in view.lines())) as step:
            proof = list(proof_of(view, step).lines("" if view.exact else str(view.viewer)))
    _answer(view.battle, view.all_rolls(), (), proof, asked, _bearing_in(view), policy_of(view.now()))


def _bearing_in(view: View) -> Mapping[str, Bearing]:
    """Return the kinds of check in which success is not good luck, if the rule set is installed."""
    from projections.fold import RuleSetUnknown

    try:
        return view.fold.bearing
    except RuleSetUnknown:
        return {}


def _outside(asked: dict[str, Any]) -> tuple[str, tuple[Entry, ...], tuple[str, ...], str]:
    """Read a log of outside dice."""
    from replays.outside import read_outside

    if not asked["format_name"]:
        raise click.UsageError("say what wrote the log: --from FORMAT; `--from list` lists what can be read")
    read = read_outside(
        asked["outside"], asked["format_name"], asked["zone"], asked["aliases"], asked["template"]
    )  # fmt: skip
    trust = f"{read.path}, SHA-256 {read.digest}, read as {read.format}: {read.trust}"
    return Path(read.path).name, read.entries, tuple(map(str, read.findings)), trust


def _list_formats() -> None:
    from replays.outside import FORMATS

    for name, reader in FORMATS.items():
        click.echo(f"{name:16} {reader.title}: {reader.example}")


def _answer(
    title: str, entries: Sequence[Entry], findings: Sequence[str], proof: Sequence[str], asked: dict[str, Any],
    bearing: Mapping[str, Bearing], policy: str = "",
) -> None:  # fmt: skip
    """Show what was asked for of some entries."""
    from projections.dice.ledger import Selection, select
    from projections.dice.ledger_text import as_csv, find_printed

    if asked["printed"]:
        _tell_found(asked["printed"], find_printed(entries, asked["printed"]))
        return
    named = {name: asked[name] for name in ("seat", "piece", "kind", "turn", "line") if asked[name] is not None}
    chosen = select(entries, Selection(**named))
    if asked["as_csv"]:
        for text in as_csv(chosen):
            click.echo(text, nl=False)
        return
    from projections.dice.report import RecordChecks, audit

    for kind in asked["bad"]:
        bearing = {**bearing, kind: "bad"}
    worth = _stakes(asked["stakes"])
    checks = RecordChecks(tuple(proof), tuple(findings), policy)
    report = audit(title, entries, chosen, bearing=bearing, stakes=worth, checks=checks)
    if asked["html"]:
        _write_page(report, asked["html"])
    elif asked["as_json"]:
        _tell_json(report, asked)
    else:
        _tell(report, asked)


def _tell(report: DiceReport, asked: dict[str, Any]) -> None:
    from projections.dice.ledger_text import entry_line
    from projections.dice.report import fairness_lines, luck_lines, picture_lines, summary_lines

    wanted = asked["show_luck"], asked["show_fairness"], asked["show_proof"]
    if not any(wanted):
        for entry in report.entries:
            click.echo(entry_line(entry))
    _tell_lines(summary_lines(report))
    if asked["show_proof"]:
        _tell_lines(report.checks.proof, "Proof")
    if asked["show_luck"]:
        _tell_lines(luck_lines(report), "Luck")
    if asked["show_fairness"]:
        _tell_lines(fairness_lines(report), "Fairness")
    if asked["show_luck"] or asked["show_fairness"]:
        _tell_lines(picture_lines(report, luck=asked["show_luck"], faces=asked["show_fairness"]))


def _tell_lines(lines: Iterable[str], heading: str = "") -> None:
    if heading:
        click.echo(f"\n{heading}")
    for line in lines:
        click.echo(line)


def _tell_json(report: DiceReport, asked: dict[str, Any]) -> None:
    """One document: the rolls, and what was asked for beside them. Fractions are written as texts such as 31/3."""
    import msgspec

    from projections.dice.ledger import totals
    from projections.dice.ledger_text import as_objects
    from projections.dice.report import fairness_lines, luck_lines

    told: dict[str, Any] = {
        "title": report.title,
        "rolls": as_objects(report.entries),
        "totals": totals(report.entries),
        "findings": report.checks.findings,
    }
    if asked["show_proof"]:
        told["proof"] = report.checks.proof
    if asked["show_luck"]:
        told["luck"] = {"report": report.luck, "words": list(luck_lines(report))}
    if asked["show_fairness"]:
        told["fairness"] = {"report": report.fairness, "words": list(fairness_lines(report))}
    emit(msgspec.to_builtins(told, enc_hook=str))


def _tell_found(printed: str, found: Sequence[Entry]) -> None:
    from projections.journal import quoted

    if not found:
        click.echo(f"not an event: no roll on record reads {quoted(printed)}")
        raise SystemExit(1)
    for entry in found:
        click.echo(f"on record: event {entry.seq} of line {entry.line}, {entry.standing}, {entry.source} dice")


def _stakes(given: Sequence[str]) -> dict[str, int] | None:
    stakes = {}
    for text in given:
        piece, _, worth = text.rpartition("=")
        if not piece or not (worth.isascii() and worth.isdecimal() and len(worth) <= 6):
            raise click.UsageError(f"--stake {text!r}: write a piece and a whole number, as in general=10")
        stakes[piece] = int(worth)
    return stakes or None


def _write_page(report: DiceReport, file: Path) -> None:
    from engine.cli.output import tell_written
    from engine.output import written_whole
    from projections.dice.luck_text import counted
    from projections.dice.report import dice_html

    with written_whole(file) as out:
        for text in dice_html(report):
            out.write(f"{text}\n".encode())
    tell_written(file, f"{report.title}: audit of {counted(len(report.entries), 'rolls')} written to {file}")


@click.command()
@click.argument("battle")
@click.option("--why", required=True, help="The reason, for the record.")
@click.option("--without", multiple=True, metavar="SEAT", help="A seat that is not waited for (repeat it for more).")
@act_options
def recommit(
    battle: str, why: str, without: tuple[str, ...], line: str, expect: int | None, request: str, as_json: bool, db: str
) -> None:
    """Let the dice come from a new root, as a ruling: for a battle that came without its vault.

    Every seat gives a new client seed (wardiary seed) before the next act opens, but for those of --without.
    """
    from events.commands import RecommitDice

    with open_door(db) as door:
        command = RecommitDice(battle=battle, line=line, why=why, without=without, expected=expect, request=request)
        act(door, command, as_json)


@click.command("reveal-dice")
@click.argument("battle")
@act_options
def reveal_dice(battle: str, line: str, expect: int | None, request: str, as_json: bool, db: str) -> None:
    """Reveal the root of the dice of a battle that is over: then everybody can derive every line's dice from it."""
    from events.commands import RevealDiceRoot

    with open_door(db) as door:
        act(door, RevealDiceRoot(battle=battle, line=line, expected=expect, request=request), as_json)


@click.command()
@click.argument("battle")
@click.argument("fudging", type=click.Choice(["forbidden", "allowed"]), required=False)
@click.option("--why", default="", help="The reason, for the record.")
@click.option("--seat", default="referee", help="Who says so.")
@act_options
def policy(
    battle: str, fudging: Literal["forbidden", "allowed"] | None, why: str, seat: str, line: str, expect: int | None,
    request: str, as_json: bool, db: str,
) -> None:  # fmt: skip
    """Say whether dice may be set aside at this table, or see what was said. It is announced in the record."""
    from events.commands import DeclareDicePolicy

    with open_door(db, write=fudging is not None) as door:
        if fudging is None:
            said = door.battle(battle, line).state.table.fudging
            emit({"fudging": said}) if as_json else click.echo(f"setting dice aside: {said or 'nothing declared'}")
            return
        command = DeclareDicePolicy(
            battle=battle, line=line, seat=seat, fudging=fudging, why=why, expected=expect, request=request
        )  # fmt: skip
        act(door, command, as_json)


@click.command()
@click.argument("battle")
@click.argument("name", required=False)
@click.argument("number", type=click.IntRange(min=1), required=False, metavar="ROUND")
@click.option("--signature", metavar="HEX", help="The round is out: mix it into the dice.")
@click.option("--randomness", default="", metavar="HEX", help="What the beacon's page gives as its value: checked.")
@click.option("--seat", default="referee", help="Who names or pastes it.")
@act_options
def beacon(
    battle: str, name: str | None, number: int | None, signature: str | None, randomness: str, seat: str, line: str,
    expect: int | None, request: str, as_json: bool, db: str,
) -> None:  # fmt: skip
    """Name a coming round of a public beacon (quicknet, drand), or paste it once it is out, to mix it into the dice.

    Without NAME, tells which rounds are waited for.
    """
    from events.commands import AddBeacon, NameBeacon

    with open_door(db, write=name is not None) as door:
        if name is None:
            _list_beacons(door.battle(battle, line), as_json)
            return
        if number is None:
            raise click.UsageError("name the ROUND too, as in: wardiary beacon BATTLE quicknet 12345678")
        command: AddBeacon | NameBeacon
        if signature is None:
            command = NameBeacon(
                battle=battle, line=line, seat=seat, beacon=name, round=number, expected=expect, request=request
            )
        else:
            command = AddBeacon(
                battle=battle, line=line, seat=seat, beacon=name, round=number, signature=signature,
                randomness=randomness, expected=expect, request=request,
            )  # fmt: skip
        act(door, command, as_json)


def _list_beacons(battle: Battle, as_json: bool) -> None:
    waited = battle.state.table.beacons
    if as_json:
        emit(list(waited))
        return
    for each in waited:
        click.echo(f"waited for: round {each.round} of {each.beacon}")
    if not waited:
        click.echo("waiting for no beacon")
