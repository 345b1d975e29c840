"""`rules NAME --check` and `rules NAME --new`: for those who write rule sets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from engine.rules.rule_set import RuleSet
    from events.facts import Event


def write_new(name: str, folder: Path | None) -> None:
    """Write the skeleton of a rule set and say what to do next."""
    from engine.authoring.new import new_rule_set

    target = folder or Path(name)
    for path in new_rule_set(name, target):
        click.echo(f"wrote {path}")
    click.echo(f"Next: pip install -e {target}, then wardiary rules {name} --check, and pytest {target}.")


def check(rules: RuleSet, scenario: Path | None, samples: Path | None) -> None:
    """Check a rule set and play its scenarios. Raises `RulesFaulty` with everything found."""
    from engine.authoring.checks import RulesFaulty, check_definition, check_samples, samples_of

    problems = list(check_definition(rules))
    click.echo(f"{rules.name}: {len(rules.book())} rules, {len(rules.grammar)} orders")
    played: list[Event] = []
    for path in [scenario] if scenario else scenarios_of(rules):
        played += _play(rules, path, problems)
    problems += check_samples(rules.fold(), samples or samples_of(rules), played)
    if problems:
        raise RulesFaulty(problems)
    click.echo("nothing is wrong")


def _play(rules: RuleSet, path: Path, problems: list[str]) -> list[Event]:
    from engine.authoring.checks import check_play, digest_of, played_elsewhere
    from engine.opening import read_scenario

    found, battle = check_play(rules, read_scenario(path))
    problems += (f"{path.name}: {problem}" for problem in found)
    if played_elsewhere(rules.name, path) != digest_of(battle.events):
        problems.append(f"{path.name}: it is played otherwise where sets have another order: sort what you go through")
    click.echo(f"{path.name}: played three times to its end, {len(battle.events)} events, and adjudicated")
    return battle.events


def scenarios_of(rules: RuleSet) -> list[Path]:
    """Return the scenarios to play: those beside the rule set's module, else the bundled ones. Raises `UsageError`."""
    from engine.authoring.checks import home_of
    from engine.opening import read_scenario
    from engine.scenario_files import shipped

    beside = sorted(path for path in home_of(rules).glob("*.toml") if "rule_set" in path.read_text(encoding="utf-8"))
    found = beside or [path for path in shipped().values() if read_scenario(path).rule_set == rules.name]
    if not found:
        raise click.UsageError(f"{rules.name} brings no scenario: name one with --scenario FILE")
    return found
