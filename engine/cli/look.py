"""Verbs that look: battles, show, log, explain. They need no rules, only the record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli.common import (
    as_option,
    db_option,
    emit,
    json_option,
    line_option,
    open_log,
    open_view,
    print_label,
)

if TYPE_CHECKING:
    from projections.battle_state import State
    from replays.view import View


@click.command()
@json_option
@db_option
def battles(as_json: bool, db: str) -> None:
    """List the battles of the file."""
    from replays.view import open_view

    with open_log(db) as log:
        found = []
        for battle in log.battles():
            view = open_view(log, battle)
            found.append(
                {
                    "battle": battle,
                    "title": view.opening.title,
                    "rule_set": view.opening.rule_set,
                    "events": view.head,
                    "lines": len(view.lines()),
                    "head": view.head_hash,
                }
            )
    if as_json:
        emit(found)
        return
    for each in found:
        click.echo(f"{each['battle']:20} {each['rule_set']:12} {each['events']:7d} events  {each['title']}")
    if not found:
        click.echo("no battles yet: `wardiary new ID --scenario FILE` opens one")


@click.command()
@click.argument("battle")
@click.option("--at", "point", default="", metavar="POINT", help="42, -1, t3, t3/move, or a time; the head without it.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Draw it as SVG.")
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Draw it as PNG.")
@as_option
@line_option
@json_option
@db_option
def show(
    battle: str, point: str, svg: Path | None, png: Path | None, viewer: str, line: str, as_json: bool, db: str
) -> None:  # fmt: skip
    """Show the field at any point of the battle; --as a seat with the orders that it has submitted."""
    from replays.points import find_point

    with open_view(db, battle, viewer, line) as view:
        fault = view.fault()
        seq = min(find_point(view, point), view.readable)
        state = view.state_at(seq)
        if svg or png:
            from engine.cli.pictures import write_field

            write_field(view, seq, svg, png)
        elif as_json:
            _emit_state(view, seq, state)
        else:
            _print_state(view, seq, state, viewer.partition("/")[0])
        if fault is not None and seq == fault.seq - 1:
            raise fault


def _emit_state(view: View, seq: int, state: State) -> None:
    import msgspec

    emit(
        {
            "battle": view.battle,
            "line": view.name,
            "played": view.played,
            "seq": seq,
            "digest": view.fold.digest(state),
            "state": msgspec.to_builtins(state),
        }
    )


def _print_state(view: View, seq: int, state: State, seat: str) -> None:
    warn_unknown(state.table.unknown)
    click.echo(f"{view.battle} / {view.name}, event {seq} of {view.head}")
    print_label(view)
    click.echo(view.picture(seq) if state.table.turn else "the pieces are still being deployed")
    _print_table(state)
    if seat:
        _print_orders(view, state, seat)
    if state.table.ended:
        click.echo(f"the battle is over: {state.table.ended}")


def _print_table(state: State) -> None:
    """Tell what lies open on the table: dice, corrections, rolls and questions that are waited for."""
    from projections.journal import dice_at

    for told in dice_at(state.table):
        click.echo(told)
    for seen in state.table.corrected.known if state.table.corrected else ():
        click.echo(f"taken back, but seen: {seen}")
    for held in state.table.held:
        click.echo(f"held for the referee, no. {held.number}: {held.text} ({held.reason})")
    for call in state.table.called.values():
        click.echo(f"waits for {call.dice} of {call.seat}: {call.purpose} ({call.key})")
    for question in state.table.asked.values():
        click.echo(f"the referee is asked ({question.rule}): {question.question} ({question.key})")


def _print_orders(view: View, state: State, seat: str) -> None:
    """Tell the orders that wait: a seat's own with their words, of others how many."""
    for each in state.table.seats:
        waiting = [order for order in state.table.orders if order.seat == each.id]
        if each.id != seat:
            click.echo(f"orders handed in by {each.id}: {len(waiting)}")
            continue
        click.echo(f"orders handed in by {each.id}: {len(waiting)}{' —' if waiting else ''}")
        for order in waiting:
            text = order.text or (view.secret(order.digest) or "").partition(" ")[2]
            receipt = f", receipt {order.digest}" if order.digest else ""
            click.echo(f"    {text or 'the text is not here'}{receipt}")


def warn_unknown(names: tuple[str, ...]) -> None:
    """Say which events were not understood."""
    if names:
        click.echo(
            f"wardiary: the record holds events of unknown types ({', '.join(names)}), made by a newer version: "
            "they are kept, but this view leaves them out",
            err=True,
        )


@click.command()
@click.argument("battle")
@click.option("--from", "start", default="0", metavar="POINT", help="Begin after this point.")
@click.option("--to", "end", default="", metavar="POINT", help="End with this point.")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only these kinds, such as roll or ruling.")
@as_option
@line_option
@json_option
@db_option
def log(
    battle: str, start: str, end: str, kinds: tuple[str, ...], viewer: str, line: str, as_json: bool, db: str
) -> None:  # fmt: skip
    """Tell the battle event by event. With --json one object a line: envelope, body and caption."""
    import msgspec

    from events.times import rfc3339
    from replays.points import find_point

    with open_view(db, battle, viewer, line) as view:
        first, last = find_point(view, start), find_point(view, end)
        if not as_json:
            print_label(view)
        for step in view.frames(first, last):
            record = step.record
            if kinds and record.kind not in kinds:
                continue
            words = view.caption(step)
            if as_json:
                envelope = {**msgspec.to_builtins(record), "body": msgspec.Raw(record.body.encode())}
                told = {**envelope, "played": view.played, "time": rfc3339(record.at), "caption": words}
                click.echo(msgspec.json.encode(told).decode())
            else:
                click.echo(f"{record.seq:5d}  {record.kind:11}  {words}")


@click.command()
@click.argument("battle")
@click.argument("seq", type=click.IntRange(min=1))
@as_option
@line_option
@json_option
@db_option
def explain(battle: str, seq: int, viewer: str, line: str, as_json: bool, db: str) -> None:
    """Tell why an event came out as it did: rule, terms, chance, dice, and where each number comes from."""
    from replays.explain import explain_event

    with open_view(db, battle, viewer, line) as view:
        told = explain_event(view, seq)
        if not as_json:
            print_label(view)
        texts = {rule: text for rule in told.rules if (text := rule_text(view.fold.name, rule))}
        name, played = view.name, view.played
    if as_json:
        import msgspec

        emit({"line": name, "played": played, **msgspec.to_builtins(told), "rule_texts": texts})
        return
    click.echo(f"{told.seq:5d}  {told.caption}")
    click.echo(f"       {told.time}, {told.actor}, act {told.act}")
    for part in told.parts:
        click.echo(f"\n{part.seq:5d}  {part.caption}")
        for reason in part.reasons:
            click.echo(f"       {reason}")
    for rule, text in texts.items():
        click.echo(f"\n{rule}: {text}")


def rule_text(rule_set: str, rule: str) -> str:
    """Return the rule in our words, if the rule set's engine is installed and knows it."""
    from engine.rules.rule_set import find_rules
    from events.errors import DiaryError

    try:
        return find_rules(rule_set).book()[rule].text
    except (DiaryError, KeyError):
        return ""
