"""A fourth rule set is easy: a package of its own, under two hundred lines, found, played, replayed and judged."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BRAWL = ROOT / "examples" / "brawl"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the example as any package is installed, into a folder of its own."""
    target = tmp_path_factory.mktemp("brawl")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", str(target / "site"), str(BRAWL)], check=True, capture_output=True)
    return target


def wardiary(installed: Path, *words: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(installed / "site"), "WARDIARY_DB": str(installed / "war.db")}
    command = [sys.executable, "-m", "engine", *words]
    done = subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True, encoding="utf-8")
    return done.stdout


def test_it_is_found_played_replayed_and_judged(installed: Path) -> None:
    assert "brawl" in wardiary(installed, "rules").split()
    wardiary(installed, "new", "pie", "--scenario", str(BRAWL / "tavern.toml"))
    wardiary(installed, "order", "pie", "smiths", "tilda: walk 10.5,16\nbors: walk 12,17")
    for _ in range(12):
        state = json.loads(wardiary(installed, "show", "pie", "--json"))["state"]
        if state["table"].get("ended"):
            break
        up = [name for name, each in state["fighters"].items() if each["health"] > 0]
        orders = [f"{name}: hit {'wat' if name != 'wat' else 'tilda'}" for name in up if "wat" in up]
        wardiary(installed, "order", "pie", "referee", "\n".join(orders))
        wardiary(installed, "next", "pie")
    told = wardiary(installed, "verify", "pie", "--judge")
    assert "the chain holds" in told
    assert "nothing differs" in told
    assert "wat hits" in wardiary(installed, "log", "pie") or "hits wat" in wardiary(installed, "log", "pie")


def test_it_is_under_two_hundred_lines_in_all() -> None:
    files = [path for path in BRAWL.rglob("*") if path.suffix in (".py", ".toml")]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) < 200


def test_the_page_shows_the_code_that_is_there() -> None:
    page = (ROOT / "docs/writing-a-rule-set.md").read_text(encoding="utf-8")
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(BRAWL.rglob("*.*")) if path.suffix != ".pyc")
    shown = re.findall(r"```(?:python|toml)\n(.*?)```", page, re.DOTALL)
    assert len(shown) > 8
    for block in shown:
        assert block.strip("\n") in code, block
