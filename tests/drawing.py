"""The drawing of the architecture, made from the imports: `python -m tests.drawing` writes it into the page.

Parts are the rooms and their folders. Parts that use each other share a box; an arrow says what a box uses, and is left
out where a longer way says the same.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from wardiary.rooms import ROOMS

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/architecture.md"
_DRAWN = re.compile(r"(?<=<!-- drawing -->\n).*?(?=<!-- end of drawing -->)", re.DOTALL)
Uses = Mapping[str, frozenset[str]]


def modules() -> dict[str, Path]:
    """All modules of the rooms, by dotted name."""
    paths = (path for room in ("wardiary", *ROOMS) for path in sorted((ROOT / room).rglob("*.py")))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


def part_of(path: Path) -> str:
    """The part that a file belongs to: its room, or the room's folder."""
    return "/".join(path.parent.relative_to(ROOT).parts[:2])


def used_parts() -> Uses:
    """Which parts each part imports from, itself left out."""
    known = modules()
    found: dict[str, set[str]] = {part_of(path): set() for path in known.values()}
    for path in known.values():
        part = part_of(path)
        found[part] |= {part_of(known[name]) for name in _imports(path, known)} - {part}
    return {part: frozenset(used) for part, used in sorted(found.items())}


def _imports(path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and (home := str(node.module)) in known:
            names = (f"{home}.{alias.name}" for alias in node.names)
            yield from (name if name in known else home for name in names)


def reach(uses: Uses, start: str) -> set[str]:
    """The parts that can be got to from a part by one step or more."""
    found: set[str] = set()
    ahead = [start]
    while ahead:
        for part in uses[ahead.pop()] - found:
            found.add(part)
            ahead.append(part)
    return found


def boxes(uses: Uses) -> dict[str, tuple[str, ...]]:
    """The box of each part: the parts that use each other, directly or not."""
    reached = {part: reach(uses, part) for part in uses}
    return {part: tuple(sorted({part} | {other for other in reached[part] if part in reached[other]})) for part in uses}


def arrows(uses: Uses) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """What each box uses directly, without what follows from the other arrows."""
    box = boxes(uses)
    direct = {one: {box[used] for part in one for used in uses[part]} - {one} for one in set(box.values())}

    def beyond(start: tuple[str, ...]) -> set[tuple[str, ...]]:
        return direct[start].union(*(beyond(each) for each in direct[start]))

    return sorted(
        (one, other)
        for one, used in direct.items()
        for other in used
        if not any(other in beyond(each) for each in used if each != other)
    )


def drawing(uses: Uses) -> str:
    """The boxes and arrows as a Mermaid flowchart, with a frame for each room."""
    box = boxes(uses)
    ids = {one: one[0].replace("/", "_") for one in set(box.values())}
    lines = ["```mermaid", "flowchart TD"]
    for room in ("wardiary", *reversed(ROOMS)):
        lines.append(f'    subgraph {room}_room["{room}"]')
        own = sorted(one for one in ids if one[0].split("/")[0] == room)
        lines += [f'        {ids[one]}["{"<br>".join(_label(part) for part in one)}"]' for one in own]
        lines.append("    end")
    lines += [f"    {ids[one]} --> {ids[other]}" for one, other in arrows(uses)]
    return "\n".join([*lines, "```", ""])


def _label(part: str) -> str:
    return part if "/" in part else f"{part}/*.py"


def drawn() -> str:
    """The drawing as it stands in the page."""
    found = _DRAWN.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None, "the page has lost the marks of its drawing"
    return found[0]


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(_DRAWN.sub(lambda _: drawing(used_parts()), text), encoding="utf-8")
