"""The page on the architecture and the glossary are true: the drawing is what the imports say, names lead somewhere."""

from __future__ import annotations

import pytest

from tests.drawing import arrows, boxes, drawing, drawn, used_parts
from tests.named_code import ROOT, lost_names

USES = {
    "a": frozenset({"b", "c"}),
    "b": frozenset({"c"}),
    "c": frozenset({"c/one"}),
    "c/one": frozenset({"c"}),
}


def test_the_drawing_is_what_the_imports_say() -> None:
    assert drawn() == drawing(used_parts()), "write it again: python -m tests.drawing"


def test_parts_that_use_each_other_share_a_box() -> None:
    assert boxes(USES)["c"] == boxes(USES)["c/one"] == ("c", "c/one")
    assert boxes(USES)["a"] == ("a",)


def test_an_arrow_that_follows_from_others_is_left_out() -> None:
    assert arrows(USES) == [(("a",), ("b",)), (("b",), ("c", "c/one"))]


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/glossary.md", "docs/python-api.md"])
def test_every_name_in_the_page_leads_somewhere(page: str) -> None:
    assert lost_names((ROOT / page).read_text(encoding="utf-8")) == []


def test_the_glossary_is_in_order() -> None:
    rows = [line for line in (ROOT / "docs/glossary.md").read_text(encoding="utf-8").splitlines() if line[:2] == "| "]
    words = [row.split("|")[1].strip().casefold() for row in rows[1:]]
    assert len(words) > 80
    assert words == sorted(words)
