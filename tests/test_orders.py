"""Orders are read from what people type, or refused with reasons."""

from __future__ import annotations

import unicodedata
from contextlib import suppress
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.orders import AnyOrder, Vocabulary, given_by, read_order, read_sheet, reading, write_order
from engine.orders.errors import OrderAmbiguous, OrderError, OrderNotAllowed, OrderUnreadable, SheetRefused
from events.places import Hex, Point
from tests.sample_orders import FIELD, GRAMMAR, Aim, Charge, Gait, Rest, Ride, Walk, Weather, Yield


def read(text: str) -> AnyOrder:
    return read_order(text, GRAMMAR, FIELD)


def refused(text: str) -> tuple[OrderError, ...]:
    with pytest.raises(SheetRefused) as caught:
        read_sheet(text, GRAMMAR, FIELD)
    return caught.value.problems


def only_unreadable(text: str) -> OrderUnreadable:
    (problem,) = refused(text)
    assert isinstance(problem, OrderUnreadable)
    return problem


# -- reading -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("grubnik: charge aldric", Charge("grubnik", "aldric")),
        ("snaga: aim short_bow at aldric", Aim("snaga", "short_bow", "aldric")),
        ("SNAGA:AIM Short-Bow AT sir_al", Aim("snaga", "short_bow", "aldric")),
        ('"Old Tom": charge "sir aldric"', Charge("tom", "aldric")),
        ("old tom: charge snag # quickly", Charge("tom", "snaga")),
        ("grubnik: walk 34,12 40.5,-12", Walk("grubnik", (Point(340, 120), Point(405, -120)))),
        (
            "grubnik: walk 1,2 quietly then jump_ditch facing 090 then climb_low_wall",
            Walk("grubnik", (Point(10, 20),), 90, ("jump_ditch", "climb_low_wall"), True),
        ),
        ("tom: ride Full-Gallop to 0304", Ride("tom", Gait.FULL_GALLOP, Hex(3, 2))),
        (
            'tom: ride trot in_haste to 0101 reach 3.5 saying "Haro! “So” #1; go: ""on"""',
            Ride("tom", Gait.TROT, Hex(1, 0), 35, 'Haro! “So” #1; go: "on"', True),
        ),
        ("tom: rest", Rest("tom", 1)),
        ("tom: rest 3", Rest("tom", 3)),
        ("Red: yield", Yield("red")),
        ("referee: weather rain hail 2D6 ", Weather("rain", "2d6")),
        ('snaga: aim sling at "at"', Aim("snaga", "sling", "at")),
    ],
)
def test_an_order_is_read_into_its_fields(text: str, order: AnyOrder) -> None:
    assert read(text) == order
    assert read(write_order(order)) == order


def test_a_sheet_gives_each_order_with_its_line() -> None:
    sheet = "\ufeff# turn 3\r\n\r\ngrubnik:\u00a0walk 34,12; rest 2;   \r\n  red: yield\r# end\nsnaga: aim sling at tom"
    found = [(numbered.line, write_order(numbered.order)) for numbered in read_sheet(sheet, GRAMMAR, FIELD)]
    assert found == [
        (3, "grubnik: walk 34,12"),
        (3, "grubnik: rest 2"),
        (4, "red: yield"),
        (6, "snaga: aim sling at tom"),
    ]


def test_an_empty_sheet_holds_no_orders() -> None:
    assert read_sheet("\n# nothing\n\t\n", GRAMMAR, FIELD) == []


def test_typographic_signs_are_mended_outside_quotes_only() -> None:
    said = read("“Old Tom”： ride trot to 0101 saying “it’s—so”；")
    assert isinstance(said, Ride)
    assert said.last_word == "it’s—so"
    assert read("snaga: walk −3,2") == Walk("snaga", (Point(-30, 20),))
    assert read("snaga: aim short–bow at to\u200em") == Aim("snaga", "short_bow", "tom")


def test_who_gives_an_order_is_known() -> None:
    givers = [given_by(order) for order in (Charge("tom", "snaga"), Yield("red"), Weather("rain"))]
    assert givers == ["tom", "red", "referee"]


# -- the three kinds of error, and all or nothing ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("grubnik: charge aldrik", ("aldric",)),
        ("grubnik: chrage aldric", ("charge",)),
        ("snaga: aim shrot_bow at tom", ("short_bow",)),
        ("snaga: aim bow at tom", ("short_bow", "long_bow")),
        ("rde: yield", ("red",)),
        ("referee: weather rian", ("rain",)),
        ("snaga: walk 1,2 facing 3 fcaing 4", ("facing",)),
        ("tom: ride trott to 0101", ("trot",)),
        ("tom: ride trot to 4512", ("4012", "4018", "0304")),
        ("red: weather rain", ("referee",)),
    ],
)
def test_a_wrong_word_is_answered_with_the_nearest_right_ones(text: str, nearest: tuple[str, ...]) -> None:
    problem = only_unreadable(text)
    assert problem.nearest == nearest
    assert all(word in str(problem) for word in nearest)


def test_a_keyword_gone_wrong_within_a_list_is_recognised() -> None:
    assert "or is 'facing' meant?" in str(refused("snaga: walk 1,2 fcaing 90")[0])


def test_without_a_near_word_all_the_right_ones_are_listed() -> None:
    assert "there are: short_bow, long_bow, sling" in str(only_unreadable("snaga: aim zzz at tom"))


def test_an_unclear_beginning_lists_the_candidates() -> None:
    (problem,) = refused("gr: charge aldric")
    assert isinstance(problem, OrderAmbiguous)
    assert problem.candidates == ("grubnik", "grishnak")
    assert problem.line == 1
    with pytest.raises(OrderAmbiguous, match="grubnik, grishnak"):
        read("snaga: charge gr")


def test_every_problem_of_a_sheet_is_told_at_once_by_line() -> None:
    sheet = "grubnik: charge aldric\nsnaga: aim bwo at aldrik\n\nxyz: charge gr; rest many; dance\nred: yield"
    problems = refused(sheet)
    assert [(problem.line, problem.code) for problem in problems] == [
        (2, "order/unreadable"),
        (2, "order/unreadable"),
        (4, "order/unreadable"),
        (4, "order/ambiguous"),
        (4, "order/unreadable"),
        (4, "order/unreadable"),
    ]
    message = str(SheetRefused(problems))
    assert message.splitlines() == [str(problem) for problem in problems]
    assert problems[0].text == "snaga: aim bwo at aldrik"


def test_what_the_rules_forbid_joins_the_problems_of_a_sheet() -> None:
    forbidden = OrderNotAllowed("Grubnik is prone", "DR-013", 2)
    assert str(SheetRefused([forbidden])) == "line 2: Grubnik is prone (DR-013)"


def test_a_wrong_piece_is_told_even_when_the_verb_is_wrong() -> None:
    assert len(refused("nobody: dance")) == 2
    assert len(refused("red: dance")) == 1


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("charge aldric", "who is ordered"),
        (": charge aldric", "no name before the colon"),
        ("grubnik:", "an order is missing"),
        ("grubnik: rest;; rest", "an order is missing"),
        ("grubnik: rest; snaga: rest", "second colon"),
        ("grubnik: charge", "PIECE is missing: write PIECE: charge PIECE"),
        ("snaga: aim at tom", "WEAPON is missing"),
        ("snaga: aim sling", "at PIECE is missing"),
        ("snaga: aim sling at", "missing after 'at'"),
        ("snaga: aim sling at tom at tom", "twice"),
        ("grubnik: charge Old Tom", "goes in quotes"),
        ("red: charge aldric", "'red' is not a piece"),
        ('grubnik: charge "', "never closed"),
        ('grubnik: charge "tom"x', "put a space"),
        ('grubnik: charge ""', "write a name"),
        ("grubnik: charge " + "x" * 201, "201 characters"),
        ("grubnik: rest 1000001", "beyond the limits"),
        ("grubnik: rest " + "9" * 3000, "beyond the limits"),
        ("grubnik: rest -1", "beyond the limits"),
        ("grubnik: rest ٣", "not a whole number"),
        ("grubnik: rest 1.5", "not a whole number"),
        ("grubnik: walk 1,2 facing 360", "from 0 to 359"),
        ("grubnik: walk 1.25,2", "finer than a millimetre"),
        ("grubnik: walk 1.,2", "not a length in cm"),
        ("grubnik: walk 1,2,3", "not a place"),
        ("grubnik: walk 100000.1,2", "beyond the limits"),
        ("grubnik: walk" + " 1,2" * 101, "more than 100"),
        ("grubnik: walk 1,2" + " then jump_ditch" * 101, "more than 100"),
        ("tom: ride trot to 304", "four digits"),
        ("tom: ride trot to 0101 reach -1", "beyond the limits"),
        ("referee: weather rain hail 9999999d6", "9999999"),
        ("grubnik: rest\x00", "U+0000"),
        ("grubnik: rest \x0b", "U+000B"),
        ("grubnik: rest \u2028", "U+2028"),
        ("grubnik: rest \u202e", "U+202E"),
        ("grubnik: rest \ud800", "U+D800"),
        ("grubnik: rest " + "#" * 10_000, "4000 is the most"),
    ],
)
def test_a_malformed_order_is_refused_in_one_line_that_says_what_is_wrong(text: str, part: str) -> None:
    problem = only_unreadable("# first line\n" + text)
    assert part in str(problem)
    assert problem.line == 2
    assert str(problem).startswith("line 2: ")
    assert str(problem).isprintable()


def test_too_long_a_sheet_and_too_many_problems_are_limited() -> None:
    assert "divide it" in str(refused("\n" * 2_000)[0])
    assert len(refused("grubnik: dance\n" * 1_900)) == reading.MAX_PROBLEMS + 2


def test_one_order_means_one() -> None:
    for text in ("", "# only this", "grubnik: rest; rest", "grubnik: rest\nsnaga: rest"):
        with pytest.raises(OrderUnreadable, match="line 1: there"):
            read(text)


# -- names -------------------------------------------------------------------------------------------------------------

NAMES = ["Orléans", "Łódź", "שלום", "龍", "👩\u200d🚀", "x" * 200, "NUL.txt", "../x"]
LOOK_ALIKES = ["Ann", "Ann ", "ann", "\u0410nn", "Orle\u0301ans"]
ODD = ["d’Arc", "#7", "a:b;c", "İ", "ß", "\u200b", "_", '"', "then", "at"]


@pytest.mark.parametrize("name", [*NAMES, *LOOK_ALIKES, *ODD])
def test_every_name_is_written_so_that_it_is_read_exactly(name: str) -> None:
    field = Vocabulary(pieces={other: other for other in (*NAMES, *LOOK_ALIKES, *ODD)}, words=FIELD.words)
    for order in (Charge(name, name), Aim(name, "sling", name)):
        assert read_order(write_order(order), GRAMMAR, field) == order


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_composition_and_case_do_not_count(form: Literal["NFC", "NFD"]) -> None:
    field = Vocabulary(pieces={"orleans": "Orléans", "lodz": "Łódź"})
    typed = unicodedata.normalize(form, "ORLÉANS: charge łódź")
    assert read_order(typed, GRAMMAR, field) == Charge("orleans", "lodz")


def test_a_look_alike_letter_is_named_not_taken() -> None:
    problem = only_unreadable("snaga: charge \u0430ldric")
    assert problem.nearest == ("aldric",)
    assert "letter 1 was typed as CYRILLIC SMALL LETTER A, not LATIN SMALL LETTER A" in str(problem)


def test_names_that_look_the_same_are_ambiguous_unless_written_exactly() -> None:
    field = Vocabulary(pieces={"Ann": "", "ann": "", "Ann ": ""})
    assert read_order("Ann: rest", GRAMMAR, field) == Rest("Ann")
    with pytest.raises(OrderAmbiguous):
        read_order("ANN: rest", GRAMMAR, field)


def test_without_names_nothing_can_be_named() -> None:
    with pytest.raises(OrderUnreadable, match="there are none here"):
        read_order("grubnik: rest", GRAMMAR, Vocabulary())


# -- nothing but OrderError --------------------------------------------------------------------------------------------

FRAGMENTS = (
    'grubnik gr snaga tom : ; # " “ ” charge aim walk ride rest yield weather red referee at facing then to in_haste'
    " 34,12 1.25 ٣ ² 99999999999999999999 -0 1e5 0x1 -- — , 0304 2d6 999d999 sling short_bow trot rain jump_ditch"
    " \u00a0 \ufeff \u202e \ud800 \x00 \t \n \r"
)
PARTS = st.sampled_from(FRAGMENTS.split(" "))
SENTENCES = st.lists(PARTS, max_size=12).map(" ".join)
BAD = st.one_of(st.text(max_size=40), SENTENCES, st.builds("grubnik: {} {}".format, PARTS, st.text(max_size=20)))


@settings(max_examples=250, deadline=None)
@given(st.lists(BAD, min_size=20, max_size=20))
def test_five_thousand_bad_orders_raise_nothing_but_order_errors(texts: list[str]) -> None:
    for text in texts:
        with suppress(OrderError):  # any other error would fail this test
            read(text)
        with suppress(SheetRefused):
            read_sheet(text, GRAMMAR, FIELD)


@settings(max_examples=100, deadline=None)
@given(st.lists(BAD, max_size=5).map("\n".join))
def test_every_problem_says_its_line_in_one_printable_line(sheet: str) -> None:
    try:
        read_sheet(sheet, GRAMMAR, FIELD)
    except SheetRefused as refused_sheet:
        problems = refused_sheet.problems
    else:
        problems = ()
    for problem in problems:
        message = str(problem).replace("\u200c", "").replace("\u200d", "")
        assert message.isprintable()
        assert message.startswith(f"line {problem.line}: ")
