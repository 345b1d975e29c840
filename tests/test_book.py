"""The list of rules of a rule set: every rule is there, said in few words, and found under its id."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.rules.book import FILE, LONGEST, Rule, load_book
from engine.rules.errors import BookInvalid, OptionInvalid, RuleUnknown

DRESDA = load_book("engine.rules.dresda")

RANGES = {
    "DR": "1-8 10-22 30-32 40-45 50-58 60-65 70-72 80-94 110-114 121 130-131",
    "DA": "1-4 4a 5-11 11a 12 12a 13-15 15a 16 16a 17-21 21a 22 22a 23-24 24a 25-31",
    "DG": "1-11",
}
"""The ids of the rules, as `first-last` or one alone."""


def ids(letters: str, ranges: str) -> list[str]:
    found = []
    for each in ranges.split():
        first, _, last = each.partition("-")
        digits = 3 if letters == "DR" else 2
        if first.isdigit():
            found += [f"{letters}-{number:0{digits}}" for number in range(int(first), int(last or first) + 1)]
        else:
            found.append(f"{letters}-{int(first[:-1]):0{digits}}{first[-1]}")
    return found


def test_every_rule_of_dresda_is_listed_in_order() -> None:
    expected = [rule for letters, ranges in RANGES.items() for rule in ids(letters, ranges)]
    assert list(DRESDA.rules) == expected
    assert len(DRESDA) == 121


@pytest.mark.parametrize("rule", DRESDA, ids=DRESDA.rules)
def test_a_rule_is_said_in_few_words(rule: Rule) -> None:
    assert 10 < len(rule.text) <= LONGEST
    assert rule.text[-1] in ".?"
    assert 0 < len(rule.title.split()) <= 6
    assert rule.section


def test_the_state_of_a_rule_follows_from_what_it_is() -> None:
    states = {letters: {rule.state for rule in DRESDA if rule.id.startswith(letters)} for letters in RANGES}
    assert states == {"DR": {"built", "referee"}, "DA": {"reading"}, "DG": {"referee"}}
    assert [rule.id for rule in DRESDA if rule.id.startswith("DR") and rule.state == "referee"] == ["DR-031"]


def test_a_rule_that_is_spoken_of_is_listed() -> None:
    for rule in DRESDA:
        for spoken in re.findall(r"D[RAG]-\d+[a-z]?", rule.text):
            assert spoken in DRESDA, rule.id


def test_readings_name_their_options_with_the_default_first() -> None:
    assert DRESDA.options == {
        "wound_movement": ("add", "double"),
        "charge_test": ("after_c", "in_a"),
        "wounds_apply": ("after_d", "each_phase"),
        "break_off": ("in_a", "in_c"),
        "charge_test_by": ("figure", "unit"),
        "disputes": ("worst", "ask"),
        "rows_for_one_enemy": ("own_combat", "every_combat"),
        "rider_of_fighting_mount": ("true_arc", "front"),
        "charge_start": ("half_walk", "any"),
        "bases": ("round", "points"),
        "misses_into_melee": ("ask", "nobody", "roll"),
    }
    for rule in DRESDA:
        for option in rule.options:
            assert f'{option.name} = "{option.values[1]}"' in rule.text


def test_options_are_settled_from_what_is_chosen() -> None:
    settled = DRESDA.settle({"wounds_apply": "each_phase"})
    assert (settled["wounds_apply"], settled["wound_movement"]) == ("each_phase", "add")
    with pytest.raises(OptionInvalid, match=r"no option 'wounds_aply' \(did you mean wounds_apply\?\)"):
        DRESDA.settle({"wounds_aply": "after_d"})
    with pytest.raises(OptionInvalid, match="can be add, double, not 'triple'"):
        DRESDA.settle({"wound_movement": "triple"})


@pytest.mark.parametrize("word", ["DR-53", "dr053", "dr 53", "53", "DR-0053", "DR-o53"])
def test_an_unknown_id_is_refused_with_the_nearest(word: str) -> None:
    with pytest.raises(RuleUnknown) as caught:
        DRESDA[word]
    assert caught.value.nearest[0] == "DR-053"
    assert "did you mean DR-053" in str(caught.value)
    assert isinstance(caught.value, KeyError)
    assert caught.value.code == "rules/unknown"


def test_a_word_that_is_like_no_id_points_to_the_list() -> None:
    with pytest.raises(RuleUnknown, match="`wardiary rules dresda` lists them"):
        DRESDA["melee"]


def test_sections_keep_the_order_of_the_file() -> None:
    assert list(DRESDA.sections)[:3] == ["Turn", "Movement", "Actions"]
    assert sum(len(rules) for rules in DRESDA.sections.values()) == len(DRESDA)


ROW = '[[rule]]\nid = "A-1"\ntitle = "One"\ntext = "Do it."\nstate = "built"\nsection = "All"\n'
META = '[meta]\nsystem = "toy"\ntitle = "Toy"\n'


def test_a_book_is_read_from_a_directory_or_a_file(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(META + ROW)
    assert load_book(tmp_path) == load_book(tmp_path / FILE)
    assert load_book(tmp_path)["A-1"].title == "One"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[meta\n", "(at line 1, column 6)"),
        (META, "there is no [[rule]] in it"),
        (ROW, "[meta] must give the system and the title"),
        (META + ROW + ROW, "rule A-1 stands there twice"),
        (META + ROW.replace('"built"', '"done"'), "rule A-1: Invalid enum value 'done' - at `$.state`"),
        (META + ROW.replace("title", "titel"), "rule A-1: Object contains unknown field `titel`"),
        (META + ROW.replace('"One"', "1"), "rule A-1: Expected `str`, got `int` - at `$.title`"),
        (META + ROW.replace("Do it.", " "), "rule A-1: the text is empty"),
        (META + ROW.replace("Do it.", "x" * 301), "rule A-1: the text has 301 characters, 300 are the most"),
        (META + ROW + 'options = [{ name = "a", values = ["b"] }]', "rule A-1: the option a needs two choices"),
    ],
)
def test_what_is_wrong_in_a_book_is_named_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(BookInvalid, match=re.escape(said)):
        load_book(tmp_path)


def test_a_book_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BookInvalid, match=r"rules\.toml: it cannot be read: No such file"):
        load_book(tmp_path)
