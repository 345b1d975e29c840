"""The verb feed: a battle for those who follow it in a feed reader."""

from __future__ import annotations

from pathlib import Path

import click

from engine.cli.common import db_option, open_view
from engine.cli.output import write_and_tell


@click.command()
@click.argument("battle")
@click.option("--format", "form", type=click.Choice(["atom", "json"]), default="atom", help="Atom or JSON Feed.")
@click.option("--as", "who", default="spectator", metavar="VIEWER", help="A seat, referee, spectator, commentator.")
@click.option("--authority", metavar="DOMAIN", help="Your domain or address: ids are minted in its name, permanently.")
@click.option("--url", default="", metavar="URL", help="Where the feed will be had.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write it to a file.")
@db_option
def feed(battle: str, form: str, who: str, authority: str | None, url: str, out: Path | None, db: str) -> None:
    """Write a battle as a feed for one kind of viewer: an entry for each turn that is over.

    A ruling that changes a turn keeps the entry's id and moves its time, so that readers show it again.
    """
    from replays.publish.feed import AUTHORITY, atom, gather_feed, json_feed

    with open_view(db, battle, who) as view:
        found = gather_feed(view, authority=authority or AUTHORITY, url=url)
    text = atom(found) if form == "atom" else json_feed(found)
    if out is None:
        click.echo(text, nl=False)
        return
    write_and_tell(out, text.encode(), f"{out}: {len(found.entries)} entries")
