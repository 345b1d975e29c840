"""The package `wardiary`: few names, cheap to import, typed; it says when another package stands in its rooms."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
