"""Rule tables of any rule set: exact figures, one text and digest, typed rows with every wrong column named."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.numbers import decimal_text, exact_number
from engine.rules.tables import read_axis, read_grid, read_rows, restore_set
from engine.rules.tables.errors import TablesInvalid
from tests.zoo import BEASTS, META, Beast, build, load, only_problem, values


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return build(tmp_path / "home")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    place = tmp_path / "own"
    place.mkdir()
    return place


# Numbers


def test_no_float_comes_out_of_a_file(home: Path) -> None:
    loaded = load(home)
    everything = [value for table in loaded.tables.values() for value in values(dict(table.parts))]
    assert Fraction(3, 2) in everything
    assert not any(isinstance(value, float) for value in everything)


@given(st.integers(-(10**9), 10**9), st.integers(0, 9))
def test_a_decimal_fraction_is_read_and_written_exactly(digits: int, places: int) -> None:
    number = Fraction(digits, 10**places)
    text = decimal_text(number)
    assert exact_number(text if "." in text else f"{text}.0") == number


def test_a_whole_decimal_is_the_whole_number() -> None:
    assert exact_number("2.0") == 2
    assert isinstance(exact_number("2.0"), int)


def test_a_third_is_no_decimal_fraction() -> None:
    with pytest.raises(ValueError, match="no decimal fraction"):
        decimal_text(Fraction(1, 3))


@pytest.mark.parametrize("figure", ["1e5", "inf", "nan", "-inf", "1e999999999", "0." + "1" * 40])
def test_what_is_no_plain_number_is_refused(home: Path, own: Path, figure: str) -> None:
    (own / "omens.toml").write_text(f"[[band]]\nroll_from = {figure}\n")
    assert only_problem(home, own).startswith("omens.toml: ")


@pytest.mark.parametrize(("value", "kind"), [("1996-05-01", date.__name__), (str(10**16), "number beyond")])
def test_dates_and_huge_numbers_have_no_place(home: Path, own: Path, value: str, kind: str) -> None:
    (own / "omens.toml").write_text(f"[[band]]\nroll_from = {value}\n")
    assert f"omens.toml: band 1.roll_from is a {kind}" in only_problem(home, own)


# Text and digest


def test_a_set_comes_back_equal_from_its_text(home: Path) -> None:
    loaded = load(home)
    again = restore_set(loaded.dump())
    assert again == loaded
    assert again.digest == loaded.digest
    assert not any(isinstance(value, float) for value in values(dict(again["beasts"].parts)))


@given(st.permutations(['id = "wolf"', "walk = 24", "bite = 1.5", 'source = "seed"']), st.booleans())
def test_the_digest_does_not_depend_on_the_order_of_keys(
    tmp_path_factory: pytest.TempPathFactory, columns: list[str], crlf: bool
) -> None:
    place = build(tmp_path_factory.mktemp("zoo") / "home")
    expected = load(place).digest
    text = META.format("beasts") + "\n[[beast]]\n" + "\n".join(columns) + BEASTS[BEASTS.index("\n\n[[beast]]") :]
    (place / "beasts.toml").write_bytes((text.replace("\n", "\r\n") if crlf else text).encode())
    assert load(place).digest == expected


def test_the_digest_does_not_depend_on_the_hash_seed() -> None:
    code = "from engine.rules.dresda.table_checks import loader; print(loader().load().digest)"
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parent.parent,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(digests) == 1


def test_a_changed_figure_changes_the_digest(home: Path, own: Path) -> None:
    (own / "beasts.toml").write_text('[meta]\nmerge = true\n[[beast]]\nid = "wolf"\nwalk = 25\n')
    assert load(home, own).digest != load(home).digest


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "[]", '{"format": 2}', '{"format": 1, "system": "zoo", "tables": {"beasts": {}}}', '{"a": NaN}'],
)
def test_another_text_is_no_set(text: str) -> None:
    with pytest.raises(TablesInvalid, match="stored table"):
        restore_set(text)


def test_broken_shipped_tables_are_refused(home: Path) -> None:
    (home / "omens.toml").unlink()
    (home / "beasts.toml").write_text(META.format("beasts").replace('lookup = "row"\n', "") + BEASTS)
    (home / "stray.toml").write_text("")
    with pytest.raises(TablesInvalid) as caught:
        load(home)
    assert caught.value.problems == (
        "there is no shipped table 'stray'",
        "shipped table 'omens' is missing",
        "beasts.toml: [meta] lacks 'lookup'",
    )


def test_a_shipped_id_that_stands_there_twice_is_refused(home: Path) -> None:
    (home / "beasts.toml").write_text(META.format("beasts") + BEASTS.replace("boar", "wolf"))
    with pytest.raises(TablesInvalid, match=r"beasts\.toml, beast: wolf stands there 2 times"):
        load(home)


# Typed rows


def beasts_with(home: Path, line: str, instead: str) -> tuple[tuple[Beast, ...], list[str]]:
    assert line in BEASTS
    (home / "beasts.toml").write_text(META.format("beasts") + BEASTS.replace(line, instead))
    problems: list[str] = []
    return read_rows(load(home)["beasts"], "beast", Beast, problems), problems


def test_lengths_come_in_millimetres_and_numbers_exact(home: Path) -> None:
    (wolf, boar), problems = beasts_with(home, "walk = 24", "walk = 24.5")
    assert (wolf.walk_mm, wolf.bite, boar.bite, problems) == (245, Fraction(3, 2), Fraction(2), [])


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        ("walk = 24", "wlak = 24", "beasts.toml, beast wolf, wlak: nothing is called so here (did you mean walk?)"),
        ("walk = 24\n", "", "beasts.toml, beast wolf, walk: is missing"),
        ("walk = 24", 'walk = "far"', "beasts.toml, beast wolf, walk: must be a whole number, not 'far'"),
        ("walk = 24", "walk = true", "beasts.toml, beast wolf, walk: must be a whole number, not true"),
        (
            "walk = 24",
            "walk = 24.05",
            "beasts.toml, beast wolf, walk: must come to whole millimetres, but 24.05 does not",
        ),
        (
            "bite = 1.5",
            'bite = "3/0"',
            "beasts.toml, beast wolf, bite: must be a number or a fraction such as '3/2', not '3/0'",
        ),
        ('id = "wolf"', "id = 3", "beasts.toml, beast row 1, id: must be text in quotes, not 3"),
        ('"seed" }', '"seen" }', "the source must be seed, house, book or found with an address, not 'seen'"),
        ("{ walk", "{ wakl", "beasts.toml, beast boar: marks names 'wakl', which is no column (did you mean walk?)"),
    ],
)
def test_a_wrong_column_is_named_with_its_row(home: Path, line: str, instead: str, said: str) -> None:
    _, problems = beasts_with(home, line, instead)
    assert any(said in problem for problem in problems)


def test_every_wrong_column_of_a_row_is_named(home: Path) -> None:
    found, problems = beasts_with(home, "walk = 24\nbite = 1.5", 'walk = "far"\nbyte = 1.5')
    assert [beast.id for beast in found] == ["boar"]
    assert len(problems) == 3


def test_a_grid_is_read_by_its_axes(home: Path) -> None:
    problems: list[str] = []
    table = load(home)["odds"]
    columns = read_axis(table, "columns", int, problems)
    assert read_grid(table, "odds", Fraction, len(columns), problems)["1"] == (Fraction(20), Fraction(21, 2))
    assert problems == []
    read_grid(table, "odds", int, 3, problems)
    assert problems == [
        "odds.toml, odds 0: it has 2 cells for 3 columns",
        "odds.toml, odds 1: cell 2 must be a whole number, not 10.5",
    ]
