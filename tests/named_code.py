"""Names of code in the pages: each must lead to something that is there."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from wardiary.rooms import ROOMS

ROOT = Path(__file__).resolve().parent.parent
_QUOTED = re.compile(r"`([^`\n]+)`")
_DOTTED = re.compile(r"[a-z_]+(\.[A-Za-z_]\w*)+")
_PATH = re.compile(r"[\w.-]+(/[\w.-]+)*/?")
_GROUPS = ("wardiary.folds", "wardiary.rules")
"""Entry points through which rule sets are found."""
_FOLDERS = ("wardiary", *ROOMS, "bench", "docs", "examples", "scenarios", "tests", ".ci", ".github")


def lost_names(page: str) -> list[str]:
    """Return the names in backticks that look like code or files of ours and lead nowhere."""
    return [name for name in dict.fromkeys(_QUOTED.findall(page)) if not _is_found(name)]


def _is_found(name: str) -> bool:
    if _DOTTED.fullmatch(name) and name.split(".")[0] in ("wardiary", *ROOMS) and not name.endswith(".py"):
        return name in _GROUPS or _leads_somewhere(name.split("."))
    if _PATH.fullmatch(name) and name.split("/")[0] in _FOLDERS:
        return (ROOT / name).exists()
    return True


def _leads_somewhere(parts: list[str]) -> bool:
    """Whether a module, or something in one, goes by a dotted name."""
    for count in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            if not hasattr(found, part) and part not in getattr(found, "__annotations__", {}):
                return False
            found = getattr(found, part, None)
        return True
    return False
