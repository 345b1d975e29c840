"""A fourth rule set is easy: a small package of its own, found, played, replayed and adjudicated."""

from __future__ import annotations

import json
import os
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
    command = [sys.executable, "-m", "wardiary", *words]
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
    told = wardiary(installed, "verify", "pie", "--adjudicate")
    assert "the chain holds" in told
    assert "nothing differs" in told
    assert "wat hits" in wardiary(installed, "log", "pie") or "hits wat" in wardiary(installed, "log", "pie")


def test_its_rules_are_looked_up_and_told_beside_what_they_decided(installed: Path) -> None:
    assert "BR-2  Walking [built]" in wardiary(installed, "rules", "brawl")
    assert "each friend at it" in wardiary(installed, "rules", "brawl", "br-4")
    wardiary(installed, "new", "told", "--scenario", str(BRAWL / "tavern.toml"))
    wardiary(installed, "order", "told", "smiths", "tilda: walk 10.5,16")
    wardiary(installed, "next", "told")
    walked = next(line.split()[0] for line in wardiary(installed, "log", "told").splitlines() if "walks" in line)
    assert "BR-2: First everybody walks, up to 10 cm." in wardiary(installed, "explain", "told", walked)


def test_all_slips_in_its_scenario_are_told(installed: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    text = (BRAWL / "tavern.toml").read_text(encoding="utf-8")
    bad.write_text(text.replace("11, 18]", "11]").replace("12, 10]", '"12", 10]'), encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        wardiary(installed, "new", "bad", "--scenario", str(bad))
    form = "must be a list of 3: text in quotes, a whole number, a whole number"
    assert refused.value.stderr.splitlines() == [
        f"wardiary: fighters.bors: {form}, not ['smiths', '12', 10]",
        f"wardiary: fighters.wat: {form}, not ['millers', 11]",
    ]


def test_it_is_small() -> None:
    files = [path for path in BRAWL.rglob("*") if path.suffix in (".py", ".toml")]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) < 220
