"""A round of a public beacon is believed when its signature is genuine, and marked where that cannot be checked."""

from __future__ import annotations

import subprocess
import sys

import pytest

from events.dice.beacons import value_of
from replays.audit import beacon_check
from replays.audit.beacon_check import check_round

ROUND_1000 = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"


def test_a_genuine_round_is_recognised() -> None:
    assert check_round("quicknet", 1000, ROUND_1000) == "genuine"
    assert value_of(ROUND_1000) == "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"


@pytest.mark.parametrize(
    ("number", "signature"),
    [
        (1001, ROUND_1000),
        (1000, ROUND_1000[:-1] + "8"),
        (1000, "c0" + "00" * 47),
        (1000, "00"),
        (1000, "zz" * 48),
        (-1, ROUND_1000),
        (2**64, ROUND_1000),
    ],
    ids=["another round", "a digit changed", "infinity", "too short", "no hex", "negative", "too large"],
)
def test_anything_else_is_forged(number: int, signature: str) -> None:
    assert check_round("quicknet", number, signature) == "forged"


def test_what_cannot_be_checked_is_not_called_forged(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_round("somewhere-else", 1000, ROUND_1000) == "unchecked"
    monkeypatch.setattr(beacon_check, "can_check", lambda beacon: False)
    assert check_round("quicknet", 1000, ROUND_1000) == "unchecked"


def test_checking_leaves_the_limit_of_recursion_alone() -> None:
    program = (
        "import sys; before = sys.getrecursionlimit()\n"
        "from replays.audit.beacon_check import check_round\n"
        f"assert check_round('quicknet', 1000, '{ROUND_1000}') == 'genuine'\n"
        "assert sys.getrecursionlimit() == before"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
