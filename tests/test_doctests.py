"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

from wardiary.rooms import ROOMS


def modules() -> list[str]:
    found = []
    for room in ("wardiary", *ROOMS):
        package = import_module(room)
        found += [each.name for each in pkgutil.walk_packages(package.__path__, f"{room}.")]
    return [name for name in found if not name.endswith("__main__")]


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
