"""Same log, same state, same digest: whatever the hash seed, the locale, the time zone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.main import cli

_PLACES = [
    {"PYTHONHASHSEED": "0"},
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu"},
    {"PYTHONHASHSEED": "4242", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    {"PYTHONHASHSEED": "99", "TZ": "America/New_York", "LC_ALL": "C", "PYTHONUTF8": "1"},
]


@pytest.fixture(scope="module")
def battle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("same") / "ford.db"
    told = CliRunner().invoke(cli, ["demo", "--scenario", "dresda_ford", "--keep", str(path)])
    assert told.exit_code == 0
    return path


def asked(path: Path, place: dict[str, str], *words: str) -> str:
    env = {**os.environ, **place}
    command = [sys.executable, "-m", "wardiary", *words, "--db", str(path)]
    root = Path(__file__).resolve().parent.parent
    return subprocess.run(command, env=env, cwd=root, check=True, capture_output=True, encoding="utf-8").stdout


def test_l17_the_state_has_one_digest_everywhere(battle: Path) -> None:
    told = [json.loads(asked(battle, place, "show", "demo", "--json")) for place in _PLACES]
    assert len({each["digest"] for each in told}) == 1


def test_the_judgement_is_the_same_everywhere(battle: Path) -> None:
    told = {asked(battle, place, "verify", "demo", "--adjudicate") for place in _PLACES}
    assert len(told) == 1
    assert "nothing differs" in told.pop()


def test_the_words_are_the_same_everywhere(battle: Path) -> None:
    assert len({asked(battle, place, "log", "demo", "--json") for place in _PLACES}) == 1
