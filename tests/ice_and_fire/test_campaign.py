"""A campaign of five linked battles: each begins with the roster of the one before, as the documentation tells."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.main import cli

CAMPAIGN = """
title = "Battle {number} of the Reach"
rule_set = "ice_and_fire"
referee = "absent"
{rosters}

[seats]
red = "Red"
blue = "Blue"

[field]
width = 400
height = 300
last_turn = 6

[[post]]
id = "red_host"
seat = "red"
holder = "ada"

[[post]]
id = "blue_host"
seat = "blue"
holder = "bram"

[[hero]]
id = "ada"
seat = "red"
unit = "pikes"
leader = true
abilities = {{ warfare = 4 }}
weapons = ["longsword"]

[[hero]]
id = "bram"
seat = "blue"
unit = "levy{number}"
leader = true
abilities = {{ warfare = 3 }}
weapons = ["mace"]

[[unit]]
id = "pikes"
seat = "red"
type = "soldiers"
{pikes}
post = "red_host"
at = [200, 60]
standing = "fight"

[[unit]]
id = "bows"
seat = "red"
type = "longbowmen"
{bows}
post = "red_host"
at = [240, 60]
standing = "shoot"

[[unit]]
id = "levy{number}"
seat = "blue"
type = "peasant_levies"
training = 1
post = "blue_host"
at = [200, 200]
facing = 180
standing = "hold"
"""


def run(db: Path, *words: str) -> str:
    result = CliRunner().invoke(cli, [*words, "--db", str(db)])
    assert result.exit_code == 0, (words, result.output)
    return result.stdout


@pytest.mark.parametrize("battles", [5])
def test_five_linked_battles_by_roster(tmp_path: Path, battles: int) -> None:
    """IF-197 to IF-201: losses and training are carried on; who has lost nobody has a battle more, by the men left."""
    db = tmp_path / "war.db"
    before: dict[str, tuple[int, Fraction]] = {}
    for number in range(1, battles + 1):
        filled = {"rosters": "", "pikes": "training = 7", "bows": "training = 5"}
        if number > 1:
            filled = {"rosters": f'rosters = {{ red = "red{number - 1}.toml" }}', "pikes": "", "bows": ""}
        (tmp_path / f"{number}.toml").write_text(CAMPAIGN.format(number=number, **filled), encoding="utf-8")
        name = f"reach{number}"
        run(db, "new", name, "--scenario", str(tmp_path / f"{number}.toml"))
        state = json.loads(run(db, "show", name, "--json"))["state"]
        for unit, (men, training) in before.items():
            now = state["units"][unit]
            assert (now["men"], Fraction(*now["training"])) == (men, training), unit
        while not state["table"]["ended"]:
            run(db, "next", name)
            state = json.loads(run(db, "show", name, "--json"))["state"]
        units = {unit: each for unit, each in state["units"].items() if each["seat"] == "red"}
        for unit, (men, training) in before.items():
            left = units[unit]["men"]
            assert Fraction(*units[unit]["training"]) == (training * 100 / men + 1) * left / 100
        before = {unit: (each["men"], Fraction(*each["training"])) for unit, each in units.items()}
        run(db, "roster", name, str(tmp_path / f"red{number}.toml"))
    assert before["pikes"][1] > 7
