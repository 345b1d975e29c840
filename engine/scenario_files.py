"""The scenario files that come with War Diary, found by name."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from engine.rules.errors import ScenarioInvalid

_HERE = Path(__file__).resolve().parent


def shipped() -> dict[str, Path]:
    """Return the scenarios that come along, by name. In a checkout they lie beside the rooms."""
    folders = (_HERE / "scenarios", _HERE.parent / "scenarios")
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.toml"))}


def find_scenario(name: str) -> Path:
    """Return the file that is meant: a path, or the name of a scenario that comes along."""
    path = Path(name)
    if path.is_file():
        return path
    here = shipped()
    if name in here:
        return here[name]
    near = get_close_matches(name, here, 3, 0.4) or sorted(here)
    raise ScenarioInvalid([f"no scenario file {name!r}; those that come along: {', '.join(near)}"])
