"""Tables declared by the fields of a Struct: what is read, what stored ones must have, what was added later."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import pytest

from engine.rules.dresda import table_checks as dresda
from engine.rules.ice_and_fire import table_checks as ice_and_fire
from engine.rules.rhand import table_checks as rhand
from engine.rules.tables import Row
from engine.rules.tables.declared import Cells, Check, Loader, Rows, RuleTables
from engine.rules.tables.errors import TablesInvalid
from engine.rules.tables.grid import Grid
from tests.zoo import Beast, build

LOADERS: dict[str, Loader[Any]] = {
    "dresda": dresda.loader(),
    "ice_and_fire": ice_and_fire.loader(),
    "rhand": rhand.loader(),
}
PARTS = [(name, file, part) for name, each in LOADERS.items() for file in each.shape for part in each.shape[file]]
FILES = [(name, file) for name, each in LOADERS.items() for file in each.shape]


class Trait(Row, frozen=True, kw_only=True):
    id: str
    value: int
    exclusive_group: str = ""


class Case(Row, frozen=True, kw_only=True):
    id: str
    row: str


class Omen(Row, frozen=True, kw_only=True):
    roll_from: int
    roll_to: int
    omen: str


class Zoo(RuleTables, frozen=True, kw_only=True):
    beasts: Annotated[Mapping[str, Beast], Rows("beasts", "beast", ids="free")]
    traits: Annotated[Mapping[str, Trait], Rows("traits", "trait", free_groups=("rank",))]
    omens: Annotated[Sequence[Omen], Rows("omens", "band", order="roll_from")]
    odds: Annotated[Grid[Fraction], Cells("odds", "odds")]
    cases: Annotated[Mapping[str, Case], Rows("odds", "case", added=True)]


def wolves(tables: Zoo) -> Iterator[str]:
    if tables.beasts["wolf"].walk_mm < 200:
        yield "beasts.toml, wolf: too slow"


@pytest.fixture
def zoo(tmp_path: Path) -> Loader[Zoo]:
    return Loader(Zoo, build(tmp_path / "home"), [Check(("beasts",), wolves)])


def stored(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(LOADERS[name].load().text)
    return found


@pytest.mark.parametrize("name", LOADERS)
def test_a_stored_set_comes_back_whole(name: str) -> None:
    loader = LOADERS[name]
    assert loader.restore(loader.load().text) == loader.load()


@pytest.mark.parametrize(("name", "file", "part"), PARTS)
def test_a_stored_set_without_a_part_is_refused_and_the_part_named(name: str, file: str, part: str) -> None:
    whole = stored(name)
    del whole["tables"][file][part]
    with pytest.raises(TablesInvalid, match=f"the stored tables lack {file}, {part}$"):
        LOADERS[name].restore(json.dumps(whole))


@pytest.mark.parametrize(("name", "file"), FILES)
def test_a_stored_set_without_a_table_is_refused_and_the_table_named(name: str, file: str) -> None:
    whole = stored(name)
    del whole["tables"][file]
    with pytest.raises(TablesInvalid, match=f"the stored tables lack {file}$"):
        LOADERS[name].restore(json.dumps(whole))


@pytest.mark.parametrize(("name", "file", "part"), PARTS)
def test_a_stored_part_of_another_kind_is_refused(name: str, file: str, part: str) -> None:
    whole = stored(name)
    whole["tables"][file][part] = 3
    with pytest.raises(TablesInvalid, match=f"stored table {file}: {part} must be"):
        LOADERS[name].restore(json.dumps(whole))


def test_a_mapping_holds_rows_by_their_key_a_sequence_in_order_and_a_grid_its_cells(zoo: Loader[Zoo]) -> None:
    tables = zoo.load()
    assert tables.beasts["boar"].walk_mm == 180
    assert [omen.omen for omen in tables.omens] == ["good", "bad"]
    assert (tables.odds.cell(1, 2), tables.odds.cell(7, 9)) == (Fraction(21, 2), Fraction(21, 2))


def test_a_check_is_made_of_what_a_referee_changes_but_not_of_what_cannot_be_read(
    zoo: Loader[Zoo], tmp_path: Path
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    change = '[meta]\nmerge = true\n[[beast]]\nid = "wolf"\nwalk = {}\n'
    for walk, told in (("19", "beasts.toml, wolf: too slow"), ('"far"', "beasts.toml, beast wolf, walk: must be")):
        (own / "beasts.toml").write_text(change.format(walk))
        with pytest.raises(TablesInvalid) as refused:
            zoo.load(own)
        (problem,) = refused.value.problems
        assert problem.startswith(told)


def test_a_part_that_was_added_since_a_battle_began_is_the_shipped_one(zoo: Loader[Zoo]) -> None:
    older = json.loads(zoo.load().text)
    del older["tables"]["odds"]["case"]
    text = json.dumps(older)
    restored = zoo.restore(text)
    assert restored.cases == zoo.load().cases
    assert restored.text == text


def test_a_field_that_says_nothing_of_its_part_is_named(tmp_path: Path) -> None:
    class Bare(RuleTables, frozen=True, kw_only=True):
        beasts: dict[str, Beast]

    with pytest.raises(TypeError, match=r"^beasts: say which part of which file it holds"):
        Loader(Bare, build(tmp_path / "home")).load()
