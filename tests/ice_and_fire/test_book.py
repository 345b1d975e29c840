"""The list of rules: every id is there, is tried by a test, and every rule that a fact names is in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.rules.ice_and_fire import rules
from engine.rules.tables.errors import TablesInvalid
from tests.ice_and_fire.table_top import tables

HERE = Path(__file__).parent
CODE = HERE.parents[1] / "engine" / "rules" / "ice_and_fire"


def test_every_rule_reading_and_question_is_named_in_a_test() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    ids = [rule for rule in rules().book().rules if not rule.startswith("B-")]
    assert [rule for rule in ids if not re.search(rf"\b{rule}\b", text)] == []


def test_every_rule_that_the_code_or_a_table_cites_is_in_the_book() -> None:
    cited = set()
    for path in [*CODE.glob("*.py"), *CODE.glob("tables/*.toml")]:
        cited |= set(re.findall(r'"((?:IF|AMB|RUL|B)-[0-9]+[a-z]?)"', path.read_text(encoding="utf-8")))
    assert sorted(rule for rule in cited if rule not in rules().book()) == []


def test_the_numbers_are_all_there() -> None:
    ids = rules().book().rules
    assert sum(rule.startswith("IF-") for rule in ids) == 192
    assert len({rule[:6] for rule in ids if rule.startswith("AMB-")}) == 50
    assert sum(rule.startswith("RUL-") for rule in ids) == 18


def test_the_options_are_those_of_the_readings() -> None:
    assert rules().options == {
        "hero_damage": ("own_degrees", "fixed"),
        "move_and_orders": ("together", "separate"),
        "elite": ("rank", "test_die"),
        "hero_kills": ("before_halving", "after_halving"),
        "minimum_damage": ("none", "one"),
        "rash_orders": ("ask", "obey"),
        "facing": ("off", "on"),
        "reload": ("every_round", "every_other_round"),
        "horses": ("by_tables", "no_trampling"),
    }


def test_the_tables_come_back_from_their_text() -> None:
    text = tables().text
    assert rules().restore_tables(text).text == text


def test_no_fixed_number_is_there_for_nothing() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in CODE.glob("*.py"))
    unused = [name for name in tables().constants if f'"{name}"' not in code]
    built = [name for name in unused if not re.search(r"(squad_(men|riders|front_yd|depth_yd))|_(times|blow)$", name)]
    assert [name for name in built if name not in ("front_yd", "depth_yd", "routed_left_tn")] == []


def test_a_referee_s_own_table_lies_over_the_shipped_one(tmp_path: Path) -> None:
    own = '[meta]\nmerge = true\n\n[[constant]]\nname = "order_tn"\nvalue = 10\n'
    (tmp_path / "constants.toml").write_text(own)
    loaded, text = rules().load_tables(tmp_path)
    assert (loaded.number("order_tn"), loaded.mark("order_tn"), loaded.number("relay_tn")) == (10, "book", 3)
    assert rules().restore_tables(text).number("order_tn") == 10


def test_tables_that_do_not_fit_are_named(tmp_path: Path) -> None:
    (tmp_path / "casualties.toml").write_text(
        '[meta]\nmerge = true\n\n[cells]\nraw = ["1d6", "1d6", "1d6", "1d6", "1d6", "1d6", "1"]\n'
    )
    with pytest.raises(TablesInvalid, match="cells raw: annihilated costs less than destroyed"):
        rules().load_tables(tmp_path)
