"""A referee's own tables over the shipped ones: what they may change, whose figure is whose, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rules.tables import read_rows
from tests.zoo import BEASTS, OMENS, Beast, build, load, only_problem, problems_of, row


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return build(tmp_path / "home")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    place = tmp_path / "own"
    place.mkdir()
    return place


def test_without_own_tables_every_row_has_its_shipped_mark(home: Path) -> None:
    loaded = load(home)
    assert row(loaded, "beasts", "beast", "wolf")["source"] == "seed"
    assert row(loaded, "beasts", "beast", "boar")["source"] == "house"


def test_a_merging_file_changes_only_the_columns_that_it_gives(home: Path, own: Path) -> None:
    (own / "beasts.toml").write_text('[meta]\nmerge = true\n[[beast]]\nid = "boar"\nbite = 4\n')
    loaded = load(home, own)
    assert row(loaded, "beasts", "beast", "boar") == {
        "id": "boar",
        "walk": 18,
        "bite": 4,
        "source": "book",
        "marks": {"walk": "seed"},
    }
    assert row(loaded, "beasts", "beast", "wolf") == row(load(home), "beasts", "beast", "wolf")


def test_a_changed_row_keeps_the_mark_of_the_columns_that_are_the_same(home: Path, own: Path) -> None:
    (own / "beasts.toml").write_text('[meta]\nmerge = true\n[[beast]]\nid = "wolf"\nwalk = 30\n')
    (wolf, _) = read_rows(load(home, own)["beasts"], "beast", Beast, [])
    assert (wolf.mark("walk"), wolf.mark("bite")) == ("book", "seed")


def test_a_replacing_file_in_any_order_gives_the_same_set_as_merging(home: Path, own: Path) -> None:
    (own / "beasts.toml").write_text('[meta]\nmerge = true\n[[beast]]\nid = "boar"\nbite = 4\n')
    merged = load(home, own)
    (own / "beasts.toml").write_text(
        '[[beast]]\nid = "boar"\nwalk = 18\nbite = 4\n[[beast]]\nbite = 1.5\nid = "wolf"\nwalk = 24\n'
    )
    assert load(home, own).digest == merged.digest


@pytest.mark.parametrize(("walk", "claimed", "mark"), [(24, "house", "seed"), (23, "seed", "book")])
def test_an_own_row_cannot_claim_a_mark(home: Path, own: Path, walk: int, claimed: str, mark: str) -> None:
    (own / "beasts.toml").write_text(
        f'[meta]\nmerge = true\n[[beast]]\nid = "wolf"\nwalk = {walk}\nsource = "{claimed}"\n'
    )
    assert row(load(home, own), "beasts", "beast", "wolf")["source"] == mark


def test_a_row_may_be_new_and_left_out_where_ids_are_free(home: Path, own: Path) -> None:
    (own / "beasts.toml").write_text(
        '[meta]\nmerge = true\nleave_out = ["boar"]\n[[beast]]\nid = "bear"\nwalk = 20\nbite = 3\nnew = true\n'
    )
    loaded = load(home, own)
    assert [row["id"] for row in loaded["beasts"].rows("beast")] == ["wolf", "bear"]
    assert row(loaded, "beasts", "beast", "bear") == {"id": "bear", "walk": 20, "bite": 3, "source": "book"}


def test_bands_are_replaced_all_together(home: Path, own: Path) -> None:
    body = (
        '[[band]]\nroll_from = 1\nroll_to = 60\nomen = "good"\n[[band]]\nroll_from = 61\nroll_to = 100\nomen = "dire"\n'
    )
    (own / "omens.toml").write_text(body)
    bands = load(home, own)["omens"].rows("band")
    assert [(band["omen"], band["source"]) for band in bands] == [("good", "house"), ("dire", "book")]


def test_a_merging_file_changes_rows_of_a_grid(home: Path, own: Path) -> None:
    (own / "odds.toml").write_text('[meta]\nmerge = true\n[odds]\n"1" = [30, 15]\n')
    table = load(home, own)["odds"]
    assert table.grid("odds") == {"0": [10, 5], "1": [30, 15]}
    assert table.source == "book"


def test_under_other_axes_no_row_is_the_shipped_one(home: Path, own: Path) -> None:
    (own / "odds.toml").write_text("[meta]\nmerge = true\n[axes]\ncolumns = [1, 3]\n")
    assert row(load(home, own), "odds", "case", "plain")["source"] == "book"


def test_a_byte_order_mark_does_no_harm(home: Path, own: Path) -> None:
    (own / "omens.toml").write_bytes(b"\xef\xbb\xbf" + OMENS.encode())
    assert load(home, own) == load(home)


def test_a_note_beside_the_tables_is_passed_over(home: Path, own: Path) -> None:
    (own / "omens.toml").write_text(OMENS)
    (own / "README.txt").write_text("from page 12")
    assert problems_of(home, own) == []


@pytest.mark.parametrize(
    ("name", "meant"),
    [("beast.toml", "did you mean beasts.toml?"), ("Beasts.toml", "beasts.toml"), ("beasts.toml.txt", "beasts.toml")],
)
def test_a_file_of_an_unknown_name_is_named_with_the_right_one(home: Path, own: Path, name: str, meant: str) -> None:
    (own / name).write_text(BEASTS)
    problem = only_problem(home, own)
    assert problem.startswith(f"{name}: ")
    assert meant in problem


def test_a_directory_that_is_not_there_or_holds_no_table_is_named(home: Path, own: Path) -> None:
    assert "no table in it" in only_problem(home, own)
    assert "no such directory" in only_problem(home, own / "elsewhere")


MERGE = "[meta]\nmerge = true\n"
WRONG = {
    "an unknown id": (
        "beasts",
        MERGE + '[[beast]]\nid = "wolv"\nwalk = 3\n',
        "beasts.toml: beast 'wolv' is no row of the shipped table (did you mean wolf?); write new = true",
    ),
    "a new row that no rule would use": (
        "traits",
        MERGE + '[[trait]]\nid = "angry"\nvalue = 1\nnew = true\n',
        "traits.toml: trait 'angry' is no row of the shipped table (did you mean hungry?), and no rule would use it",
    ),
    "a row said to be new that is not": (
        "beasts",
        MERGE + '[[beast]]\nid = "wolf"\nnew = true\n',
        "beasts.toml: beast 'wolf' is in the shipped table already",
    ),
    "a missing id": (
        "traits",
        '[[trait]]\nid = "rank_cub"\nvalue = 0\nexclusive_group = "rank"\n',
        "traits.toml: trait 'hungry' is missing; give its row, or write merge = true",
    ),
    "a missing id that may be left out": (
        "beasts",
        '[[beast]]\nid = "boar"\nwalk = 18\nbite = 2\n',
        "beasts.toml: beast 'wolf' is missing; give its row, or write merge = true in [meta], or leave_out = ['wolf']",
    ),
    "a row left out that the rules use": (
        "traits",
        '[meta]\nmerge = true\nleave_out = ["hungry"]\n',
        "traits.toml: trait 'hungry' cannot be left out: the rules use it",
    ),
    "a row left out that is not there": (
        "beasts",
        '[meta]\nmerge = true\nleave_out = ["boer"]\n',
        "beasts.toml: leave_out names 'boer', which is no row of the shipped table (did you mean boar?)",
    ),
    "a row given and left out": (
        "beasts",
        '[meta]\nmerge = true\nleave_out = ["boar"]\n[[beast]]\nid = "boar"\nwalk = 1\n',
        "beasts.toml: beast 'boar' is both given and left out",
    ),
    "a row given twice": (
        "beasts",
        MERGE + '[[beast]]\nid = "boar"\nwalk = 1\n[[beast]]\nid = "boar"\nwalk = 2\n',
        "beasts.toml: beast 'boar' stands there twice",
    ),
    "a row without its key": (
        "beasts",
        MERGE + "[[beast]]\nwalk = 1\n",
        "beasts.toml: beast row 1: it has no id",
    ),
    "a column that the shipped row has": (
        "traits",
        '[[trait]]\nid = "hungry"\nvalue = 1\n[[trait]]\nid = "rank_cub"\nvalue = 0\n',
        "traits.toml: trait rank_cub, exclusive_group: is missing",
    ),
    "an unknown part": ("beasts", MERGE + '[[beats]]\nid = "wolf"\n', "no part 'beats' (did you mean beast?)"),
    "a missing part": ("odds", "[axes]\ncolumns = [1, 2]\n[odds]\n", "odds.toml: the part 'case' is missing"),
    "a part of the wrong kind": ("odds", MERGE + "[[odds]]\na = 1\n", "odds.toml: odds must be a grid"),
    "rows of the wrong kind": ("beasts", "beast = 3\n", "beasts.toml: beast must be rows, each written under its own"),
    "no rows": ("beasts", "beast = []\n", "beasts.toml: beast has no row"),
    "an unknown row of a grid": ("odds", MERGE + '[odds]\n"9" = [1, 1]\n', "odds.toml: odds: there is no row '9'"),
    "an unknown word in meta": (
        "beasts",
        "[meta]\nmerg = true\n",
        "beasts.toml: [meta]: there is no word 'merg' (did you mean merge?)",
    ),
    "another system": (
        "beasts",
        '[meta]\nmerge = true\nsystem = "barn"\n',
        "system is 'barn', but this table's is 'zoo'",
    ),
    "merge that is no yes or no": ("beasts", "[meta]\nmerge = 1\n", "beasts.toml: [meta]: merge must be true or false"),
    "bad TOML": ("beasts", "[meta\n", "(at line 1, column 6)"),
}


@pytest.mark.parametrize(("table", "text", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_its_place(home: Path, own: Path, table: str, text: str, said: str) -> None:
    (own / f"{table}.toml").write_text(text)
    problem = only_problem(home, own)
    assert problem.startswith(f"{table}.toml: ")
    assert said in problem


def test_a_file_that_is_not_text_is_named(home: Path, own: Path) -> None:
    (own / "beasts.toml").write_bytes(b"\xff\xfe[meta]")
    assert only_problem(home, own) == "beasts.toml: byte 0 is not UTF-8 text; save the file as UTF-8"


def test_all_problems_of_all_files_are_told_at_once(home: Path, own: Path) -> None:
    (own / "beasts.toml").write_text(MERGE + '[[beast]]\nid = "wolv"\n[[beast]]\nid = "bore"\n')
    (own / "omens.toml").write_text("[meta\n")
    (own / "omen.toml").write_text(OMENS)
    assert len(problems_of(home, own)) == 4
