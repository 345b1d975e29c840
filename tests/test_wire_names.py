"""The names that facts have on the wire, and their raw bodies, are read in `events` and nowhere else."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from engine.rules.rule_set import installed
from events.catalogue import split_tag, tag_of
from events.facts import COMMON
from projections.fold import find_fold

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(
    path for room in ("projections", "replays", "engine", "wardiary") for path in (ROOT / room).rglob("*.py")
)
NAMES = {
    split_tag(tag_of(each))[0]
    for types in (COMMON, *(find_fold(name).catalogue.types for name in installed()))
    for each in types
}
QUOTED = re.compile("|".join(re.escape(name) for name in sorted(NAMES)))


def found_in(source: str) -> list[str]:
    """Name what a source has of the wire: names of facts, parts of bodies, bodies that are decoded."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value in NAMES or ('"type"' in node.value and QUOTED.search(node.value)):
                found.append(f"line {node.lineno}: {node.value}")
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "decode":
            parts = [each for argument in node.args for each in ast.walk(argument)]
            if any(isinstance(each, ast.Attribute) and each.attr == "body" for each in parts):
                found.append(f"line {node.lineno}: decodes a body")
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_source_outside_events_reads_the_wire(path: Path) -> None:
    assert found_in(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        'record.type == "table.act_opened"',
        '{"dresda.moved"}',
        '\'"type":"ruling.edition_adopted"\' in body',
        "msgspec.json.decode(record.body)['turn']",
        "decoder.decode(closing[-1].body, type=Told)",
    ],
)
def test_what_reads_the_wire_is_found(source: str) -> None:
    assert found_in(source)
