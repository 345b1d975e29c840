"""The bundled scenario files, found by name."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from engine.rules.errors import ScenarioInvalid

_HERE = Path(__file__).resolve().parent


def shipped() -> dict[str, Path]:
    """Return the bundled scenarios, by name. In a checkout they lie beside the rooms."""
    folders = (_HERE / "scenarios", _HERE.parent / "scenarios")
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.toml"))}


def find_scenario(name: str) -> Path:
    """Return the file that is meant: a path, or the name of a bundled scenario. Raises `ScenarioInvalid`.

    >>> find_scenario("rhand_duel").name
    'rhand_duel.toml'
    """
    path = Path(name)
    if path.is_file():
        return path
    here = shipped()
    if name in here:
        return here[name]
    near = get_close_matches(name, here, 3, 0.4) or sorted(here)
    raise ScenarioInvalid([f"no scenario file {name!r}; bundled are: {', '.join(near)}"])
