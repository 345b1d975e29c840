"""The page for authors: its code is in the examples, its names can be imported, its game can be played."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/writing-a-rule-set.md").read_text(encoding="utf-8")
EXAMPLES = sorted(path for path in (ROOT / "examples").rglob("*") if path.suffix in (".py", ".toml"))
MODULES = ("wardiary.facts", "wardiary.rules", "wardiary.testing")


def test_the_page_shows_the_code_that_is_there() -> None:
    sources = [path.read_text(encoding="utf-8") for path in EXAMPLES]
    shown = re.findall(r"```(?:python|toml)\n(.*?)```", PAGE, re.DOTALL)
    assert len(shown) > 20
    assert [block for block in shown if not any(block.strip("\n") in source for source in sources)] == []


@pytest.mark.parametrize("module", MODULES)
def test_the_page_lists_every_name_of_the_api_and_no_other(module: str) -> None:
    section = PAGE.partition(f"### `{module}`")[2].partition("\n### ")[0]
    listed = {
        name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    }
    assert listed == {name for name in vars(import_module(module)) if not name.startswith("_")}


@pytest.mark.parametrize("module", MODULES)
def test_every_name_of_the_api_says_what_it_is(module: str) -> None:
    types = {"AnyOrder", "Yielded", "Caption", "Reducer", "Upcast", "Procedure", "Look", "Standing"}
    aliases = {"Dice", "Length", "Piece", "Text", "Mm"}
    for name, each in vars(import_module(module)).items():
        if not name.startswith("_") and name not in types | aliases:
            assert (each.__doc__ or "").strip(), name


def test_the_examples_use_nothing_but_the_documented_api() -> None:
    for path in EXAMPLES:
        if path.suffix != ".py":
            continue
        own = {"brawl", "newgame", "vanguard", "pytest", "msgspec", "__future__"}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                top = str(node.module).partition(".")[0]
                allowed = node.module in MODULES or top in own or top in sys.stdlib_module_names
                assert allowed, f"{path.name}: {node.module}"
            elif isinstance(node, ast.Import):
                assert {alias.name.partition(".")[0] for alias in node.names} <= own | sys.stdlib_module_names


def test_the_hex_game_is_installed_played_asked_drawn_posted_and_adjudicated(tmp_path: Path) -> None:
    home = ROOT / "examples" / "vanguard"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", str(tmp_path / "site"), str(home)], check=True, capture_output=True)

    def wardiary(*words: str) -> str:
        env = {**os.environ, "PYTHONPATH": str(tmp_path / "site"), "WARDIARY_DB": str(tmp_path / "war.db")}
        command = [sys.executable, "-m", "wardiary", *words]
        done = subprocess.run(command, cwd=ROOT, env=env, check=False, capture_output=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "nothing is wrong" in wardiary("rules", "--check", "vanguard")
    wardiary("new", "ash", "--scenario", str(home / "vanguard" / "scenario.toml"), "--by-hand", "south")
    wardiary("order", "ash", "north", "guards: march 0202 0203")
    wardiary("order", "ash", "south", "levy: march 0304; attack guards")
    wardiary("next", "ash", "--act", "t1/marching")
    asked = wardiary("roll", "ash", "t1/fight/guards", "--faces", "1")
    assert "to which hex does levy go back? [0403 / 0404 / 0305]" in asked
    wardiary("rule", "ash", "t1/fight/guards/retreat/levy", "0305")
    told = wardiary("roll", "ash", "t1/morale/levy", "--faces", "6")
    assert "levy is shaken" in told
    wardiary("show", "ash", "--svg", str(tmp_path / "ash.svg"))
    assert "levy" in (tmp_path / "ash.svg").read_text(encoding="utf-8")
    assert "levy against guards: attackers retreat" in wardiary("post", "ash", "--turn", "1", "--for", "phpbb")
    assert "nothing differs" in wardiary("verify", "ash", "--adjudicate")


@pytest.mark.parametrize("name", ["skeleton", "vanguard"])
def test_the_examples_pass_their_own_tests(name: str) -> None:
    home = ROOT / "examples" / name
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(home),
        str(home / "tests"),
    ]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(home), str(ROOT)])}
    done = subprocess.run(command, cwd=home, env=env, check=False, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout
