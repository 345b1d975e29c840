"""The page on the Python API is true: its programs run, its tables are whole. `python -m tests.test_python_api` writes
the table of commands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import wardiary
from wardiary import commands

PAGE = Path(__file__).resolve().parent.parent / "docs/python-api.md"
_TABLE = re.compile(r"(?<=<!-- commands -->\n).*?(?=<!-- end of commands -->)", re.DOTALL)


def table() -> str:
    """The command types with the first line of what they say of themselves, and their own fields."""
    rows = ["| command | what it does | fields |", "|---|---|---|"]
    for command in get_args(commands.AnyCommand):
        own = [name for name in command.__struct_fields__ if name not in commands.Command.__struct_fields__]
        told = str(command.__doc__).splitlines()[0]
        rows.append(f"| `{command.__name__}` | {told} | {', '.join(f'`{name}`' for name in own)} |")
    return "\n".join([*rows, ""])


def programs() -> list[str]:
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def run(program: str, folder: Path) -> list[str]:
    path = folder / "program.py"
    path.write_text(program, encoding="utf-8")
    ran = subprocess.run([sys.executable, str(path)], cwd=folder, capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    return ran.stdout.splitlines()


def test_the_ten_lines_open_fight_look_back_undo_and_verify(tmp_path: Path) -> None:
    program = programs()[0]
    assert len(program.splitlines()) - 2 <= 12
    counts, end = run(program, tmp_path)
    assert "gone" in counts or "different" in counts
    assert end.startswith("main.2 {'main': '")
    assert "'main.2': '" in end


def test_the_state_at_a_point_is_that_of_the_act_before(tmp_path: Path) -> None:
    told = "print(before.table.turn, view.viewer, [view.caption(frame) for frame in view.frames()][-1])\n"
    lines = run(programs()[0] + told, tmp_path)
    assert lines[-1].startswith("1 ")


def test_an_error_has_a_code(tmp_path: Path) -> None:
    assert run(programs()[1], tmp_path) == ["log/battle-unknown"]


def test_the_table_of_commands_is_whole() -> None:
    found = _TABLE.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == table(), "write it again: python -m tests.test_python_api"


def test_every_name_of_the_front_door_is_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in wardiary.__all__ if f"`{name}`" not in page] == []


if __name__ == "__main__":
    PAGE.write_text(_TABLE.sub(lambda _: table(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
