"""The four rooms: imports go one way, only the engine acts, names are ours."""

from __future__ import annotations

import ast
from importlib.metadata import distributions
from pathlib import Path

import pytest

from engine.__main__ import ROOMS, foreign_rooms

ROOT = Path(__file__).resolve().parent.parent
ACTING = {"time", "random", "secrets", "uuid", "socket", "threading", "subprocess"}


def sources(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found.add(str(node.module).split(".")[0])
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_rooms_before_it(room: str) -> None:
    allowed = set(ROOMS[: ROOMS.index(room) + 1])
    assert sources(room)
    for path in sources(room):
        assert imported(path) & set(ROOMS) <= allowed, path


@pytest.mark.parametrize("room", ROOMS[:3])
def test_only_the_engine_looks_at_a_clock_or_draws_numbers(room: str) -> None:
    for path in sources(room):
        assert not imported(path) & ACTING, path


@pytest.mark.parametrize("path", [path for room in (*ROOMS, "tests", "bench") for path in sources(room)], ids=str)
def test_no_file_is_longer_than_600_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 600


def test_a_foreign_package_in_the_place_of_a_room_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    import events

    assert foreign_rooms() == []
    monkeypatch.setattr(events, "__wardiary__", "theirs")
    assert foreign_rooms() == ["events"]


def test_no_other_installed_distribution_owns_our_names() -> None:
    for each in distributions():
        if each.metadata["Name"] == "wardiary":
            continue
        tops = {Path(str(file)).parts[0] for file in each.files or []}
        assert not tops & set(ROOMS), each.metadata["Name"]
