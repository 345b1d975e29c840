"""The faults that the mutation run seeds: each changes one place, and only code that runs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from bench.mutations import mutations

ROOT = Path(__file__).resolve().parent.parent


def faulty(line: str) -> set[str]:
    """What the faults make of one line in a function."""
    source = f"def f(a, b, c):\n    {line}\n"
    return {each.apply(source).splitlines()[1].strip() for each in mutations("f.py", source)}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("c = a < b", {"c = (a <= b)"}),
        ("c = a is None", {"c = (a is not None)"}),
        ("c = a in b", {"c = (a not in b)"}),
        ("c = a and b", {"c = (a or b)"}),
        ("c = not a", {"c = (a)"}),
        ("c = a - b", {"c = (a + b)"}),
        ("c = a // b", {"c = (a * b)"}),
        ("c = 9", {"c = 10"}),
        ("c = True", {"c = False"}),
        ("c = a if b else c", {"c = (c if b else a)"}),
        ("c = any(a)", {"c = (all(a))"}),
        ("c = max(a, b)", {"c = (min(a, b))"}),
        ("return a", {"return None"}),
        ("return None", set()),
        ("a(b)", {"pass"}),
        ("a += b", {"pass"}),
        ("raise a", {"pass"}),
        ('"""Words."""', set()),
        ("c: Literal[1] = a", set()),
        ("ä = '–'; c = a == b", {"ä = '–'; c = (a != b)"}),
    ],
)
def test_every_operator_makes_its_fault(line: str, expected: set[str]) -> None:
    assert faulty(line) == expected


def test_declarations_are_left_alone() -> None:
    source = (
        "class A(Struct, frozen=True):\n    n: Annotated[int, 7]\n\n\n@cached(size=4)\ndef f(a: int = 3) -> L[1]: ...\n"
    )
    assert [each.before for each in mutations("a.py", source)] == []


@pytest.mark.parametrize("path", ["events/catalogue.py", "engine/rules/rhand/impact.py", "projections/svg.py"])
def test_the_faults_of_a_file_are_python_and_differ_from_the_file(path: str) -> None:
    source = (ROOT / path).read_text(encoding="utf-8")
    was = ast.dump(ast.parse(source))
    found = mutations(path, source)
    assert len(found) > 10
    for each in found[::5]:
        assert ast.dump(ast.parse(each.apply(source))) != was, each.told()
