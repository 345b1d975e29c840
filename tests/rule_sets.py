"""The rule sets that are installed, for tests that hold for each of them."""

from __future__ import annotations

from importlib.metadata import entry_points

NAMES = sorted(entry.name for entry in entry_points(group="wardiary.folds"))
