"""A new rule set: the working skeleton that is bundled, under its own name."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from engine.output import OutputRefused, write_file
from events.errors import DiaryError

_HERE: Final = Path(__file__).resolve().parents[1]
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
LONGEST: Final = 30
"""Characters of a rule set's name."""


class NameUnfit(DiaryError, ValueError):
    """A rule set cannot be called so: its name is that of a Python package, and the beginning of every fact's tag."""

    code = "rules/name"

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"a rule set cannot be called {name!r}: {why}")
        self.name = name


def skeleton() -> Path:
    """Return the folder of the skeleton. In a checkout it lies among the examples."""
    installed = _HERE / "skeleton"
    return installed if installed.is_dir() else _HERE.parent / "examples" / "skeleton"


def new_rule_set(name: str, target: Path) -> list[Path]:
    """Write a working rule set of that name into a folder that is new or empty; return the files.

    It can be installed, played and tested at once. Raises `NameUnfit`, `OutputRefused`; then nothing is written.
    """
    from engine.rules.rule_set import installed

    if not _NAME.fullmatch(name) or len(name) > LONGEST:
        raise NameUnfit(name, f"write small letters, digits and single underscores, at most {LONGEST}")
    if name in installed():
        raise NameUnfit(name, "a rule set of that name is installed")
    try:
        if target.is_dir() and any(target.iterdir()):
            raise OutputRefused(target, "it is not empty: choose another folder")
        found = sorted(path for path in skeleton().rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        texts = {path.relative_to(skeleton()): path.read_text(encoding="utf-8") for path in found}
        written = [target / _named(os.fspath(path), name) for path in texts]
        for path in written:
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputRefused(target, error.strerror or str(error)) from error
    for path, text in zip(written, texts.values(), strict=True):
        write_file(path, _named(text, name).encode())
    return written


def _named(text: str, name: str) -> str:
    """Put the names of the new rule set in place of the skeleton's."""
    words = name.split("_")
    named = {
        "newgame": name,
        "NewGame": "".join(map(str.capitalize, words)),
        "A new game": " ".join(words).capitalize(),
        "a new game": " ".join(words),
        "NG-": f"{''.join(words)[:2].upper()}-",
    }
    for old, new in named.items():
        text = text.replace(old, new)
    return text
