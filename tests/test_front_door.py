"""The package `wardiary`: few names, cheap to import, typed; it says when another package stands in its rooms."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import wardiary
from wardiary.rooms import ROOMS, RoomTaken, check_rooms

ROOT = Path(__file__).resolve().parent.parent


def run(*arguments: str, ahead: Path) -> subprocess.CompletedProcess[str]:
    """Run Python with a folder that comes before War Diary on the path of imports."""
    path = os.pathsep.join([str(ahead), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
    return subprocess.run(
        [sys.executable, *arguments], env=environment, cwd=ahead, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("fake", ["__all__ = ['Events']\n", "raise ImportError('no such thing')\n"])
def test_another_package_in_the_place_of_a_room_is_told_in_one_line(tmp_path: Path, room: str, fake: str) -> None:
    (tmp_path / room).mkdir()
    (tmp_path / room / "__init__.py").write_text(fake)
    ran = run("-m", "wardiary", "battles", ahead=tmp_path)
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert len(ran.stderr.splitlines()) == 1
    assert repr(room) in ran.stderr


def test_the_line_names_the_file_and_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "events").mkdir()
    (tmp_path / "events/__init__.py").write_text("")
    ran = run("-m", "wardiary", "--help", ahead=tmp_path)
    assert str(tmp_path / "events") in ran.stderr
    assert "virtual environment" in ran.stderr


def test_a_program_gets_the_same_line_as_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    import events

    check_rooms()
    monkeypatch.setattr(events, "__wardiary__", "theirs")
    with pytest.raises(RoomTaken, match="another package owns the import name 'events'"):
        check_rooms()


def test_the_command_starts_as_a_module(tmp_path: Path) -> None:
    ran = run("-m", "wardiary", "--version", ahead=tmp_path)
    assert (ran.returncode, ran.stdout.split()[0]) == (0, "wardiary,")


# ------------------------------------------------------------------------------------------------------------- names


def told_to_type_checkers() -> dict[str, str]:
    """The names that the package imports for type checkers, each with its home."""
    package = ast.parse((ROOT / "wardiary/__init__.py").read_text(encoding="utf-8"))
    (block,) = [node for node in package.body if isinstance(node, ast.If) and "not" not in ast.unparse(node.test)]
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    assert len(imports) == len(block.body)
    return {alias.name: str(node.module) for node in imports for alias in node.names if alias.asname == alias.name}


def test_every_name_is_what_its_home_has() -> None:
    for name, home in told_to_type_checkers().items():
        assert getattr(wardiary, name) is getattr(import_module(home), name), name


def test_type_checkers_are_told_of_the_same_names() -> None:
    assert sorted(told_to_type_checkers()) == sorted(wardiary.__all__) == sorted(dir(wardiary))
    assert 12 <= len(wardiary.__all__) <= 18


def test_another_name_is_an_error() -> None:
    with pytest.raises(AttributeError, match="'wardiary' has no attribute 'open_door'"):
        wardiary.open_door  # type: ignore[attr-defined]  # noqa: B018


def test_importing_the_package_imports_no_room(tmp_path: Path) -> None:
    told = "import sys, wardiary; print([name for name in sys.modules if name.split('.')[0] in wardiary.rooms.ROOMS])"
    assert run("-c", told, ahead=tmp_path).stdout == "[]\n"


def test_a_name_from_a_room_that_is_taken_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "events").mkdir()
    (tmp_path / "events/__init__.py").write_text("")
    ran = run("-c", "from wardiary import Door", ahead=tmp_path)
    assert "another package owns the import name 'events'" in ran.stderr.splitlines()[-1]


@pytest.mark.parametrize("room", ["wardiary", *ROOMS])
def test_every_package_says_that_it_is_typed(room: str) -> None:
    assert (ROOT / room / "py.typed").exists()


@pytest.mark.parametrize(
    "name", ["Door", "MemoryLog", "find_fold", "find_point", "find_rules", "find_scenario", "open_view", "verify"]
)
def test_what_the_front_door_offers_to_call_has_an_example(name: str) -> None:
    assert ">>> " in str(getattr(wardiary, name).__doc__)
