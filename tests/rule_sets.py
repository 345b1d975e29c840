"""The rule sets that are installed, for tests that hold for each of them."""

from __future__ import annotations

from importlib.metadata import entry_points
from importlib.util import find_spec

import pytest

from projections.fold import Fold, find_fold

NAMES = sorted(entry.name for entry in entry_points(group="wardiary.folds"))


def fold_of(name: str) -> Fold:
    """Return the fold of a rule set; skip the test, visibly, where the package that names it does not hold it yet."""
    (entry,) = entry_points(group="wardiary.folds", name=name)
    if find_spec(entry.module) is None:
        pytest.skip(f"{entry.module} is not there")
    return find_fold(name)
