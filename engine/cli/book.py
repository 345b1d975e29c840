"""The verbs `rules` and `tables`: looking things up."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli.common import emit, json_option

if TYPE_CHECKING:
    from engine.rules.book import Book, Rule


@click.command()
@click.argument("rule_set", required=False)
@click.argument("rule", required=False)
@click.option("--orders", is_flag=True, help="List the forms of its orders.")
@click.option("--check", is_flag=True, help="Check the rule set and play its scenarios; for authors.")
@click.option("--new", is_flag=True, help="Write the skeleton of a new rule set of that name; for authors.")
@click.option("--scenario", type=click.Path(path_type=Path), metavar="FILE", help="With --check: what to play.")
@click.option("--samples", type=click.Path(path_type=Path), metavar="FILE", help="With --check: stored samples.")
@click.option("--to", "folder", type=click.Path(path_type=Path), metavar="DIR", help="With --new: where to.")
@json_option
def rules(
    rule_set: str | None, rule: str | None, orders: bool, check: bool, new: bool, scenario: Path | None,
    samples: Path | None, folder: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Look up a rule (`wardiary rules dresda DR-053`), all rules of a set, or its orders; alone, the rule sets.

    For authors: `wardiary rules --new NAME` writes a working rule set, `wardiary rules --check NAME` checks one.
    """
    from engine.rules.rule_set import find_rules, installed

    if (new or check) and (rule_set is None or rule is not None):
        raise click.UsageError("name one rule set, such as `wardiary rules --check dresda`")
    if rule_set is not None and (new or check):
        from engine.cli import authoring

        if new:
            authoring.write_new(rule_set, folder)
        else:
            authoring.check(find_rules(rule_set), scenario, samples)
        return
    if rule_set is None:
        names = installed()
        if as_json:
            emit(names)
        else:
            click.echo("\n".join(names))
        return
    found = find_rules(rule_set)
    if orders:
        from engine.orders import describe

        forms = describe(found.grammar)
        if as_json:
            emit([{"form": form, "meaning": meaning} for form, meaning in forms])
            return
        for form, meaning in forms:
            click.echo(f"{form}\n    {meaning}")
        return
    book = found.book()
    rows = [rule_named(book, rule)] if rule is not None else list(book)
    if as_json:
        import msgspec

        emit([msgspec.to_builtins(row) for row in rows])
        return
    for row in rows:
        click.echo(f"{row.id}  {row.title} [{row.state}]")
        if rule is not None:
            click.echo(f"    {row.text}")


def rule_named(book: Book, word: str) -> Rule:
    """Find a rule by its id, in capital letters or small ones. Raises `RuleUnknown` with the nearest ids."""
    return book[next((rule.id for rule in book if rule.id.casefold() == word.casefold()), word)]


@click.command()
@click.argument("rule_set")
@click.option("--check", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Check your own tables.")
@click.option("--copy", "target", type=click.Path(path_type=Path), metavar="DIR", help="Copy the set, to change it.")
def tables(rule_set: str, folder: Path | None, target: Path | None) -> None:
    """Check a set of tables, or copy the ones that come with a rule set as a beginning for your own."""
    from hashlib import sha256

    from engine.rules.rule_set import find_rules

    found = find_rules(rule_set)
    if target is not None:
        click.echo(f"{_copy(type(found).__module__, target)} tables copied to {target}")
        return
    _, text = found.load_tables(folder)
    click.echo(f"{rule_set}: the tables hold; digest {sha256(text.encode()).hexdigest()}")


def _copy(module: str, target: Path) -> int:
    """Copy the tables that lie beside a rule set's module. An existing file is not overwritten."""
    import os
    import sys

    from engine.output import OutputRefused, write_file

    source = Path(str(sys.modules[module].__file__)).parent / "tables"
    files = sorted(source.glob("*.toml"))
    try:
        target.mkdir(parents=True, exist_ok=True)
        taken = [file.name for file in files if os.path.lexists(target / file.name)]
    except OSError as error:
        raise OutputRefused(target, error.strerror or str(error)) from error
    if taken:
        raise OutputRefused(target / taken[0], "it is there already: choose an empty folder")
    for file in files:
        write_file(target / file.name, file.read_bytes())
    return len(files)
