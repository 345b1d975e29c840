"""Pictures of dice: the same bytes everywhere, legible without colour, told in words for those who cannot see them."""

from __future__ import annotations

import re
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from projections.dice.charts import MAX_POINTS, Course, courses, faces_lines, faces_svg, luck_svg, luck_text
from projections.dice.fairness import Faces
from projections.dice.luck import checks_of
from projections.dice.report import RecordChecks, audit, dice_html
from tests.dice_table import roll

SVG = "{http://www.w3.org/2000/svg}"
TWO = (
    Course("red", (1, 1, 2), (1, 3, 5), (Fraction(1, 2), Fraction(1), Fraction(-1, 3))),
    Course("blue <&>", (1, 2), (2, 4), (Fraction(-1, 2), Fraction(-1))),
)
D6 = Faces("the generator", "d6", 1, (10, 20, 0, 15, 5, 10))


def test_the_same_dice_give_the_same_bytes() -> None:
    assert luck_svg(TWO) == luck_svg(TWO)
    assert sha256(luck_svg(TWO).encode()).hexdigest()[:16] == "59b813a5a28db16c"
    assert sha256(faces_svg(D6).encode()).hexdigest()[:16] == "404021a5b651be50"


@pytest.mark.parametrize(
    "picture", [luck_svg(TWO), faces_svg(D6), luck_svg([]), faces_svg(Faces("x", "d100", 1, (1,) * 100))]
)
def test_a_picture_is_well_formed_and_told_in_words(picture: str) -> None:
    root = ElementTree.fromstring(picture)
    assert root.get("role") == "img"
    title, told = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert told is not None
    assert root.get("aria-labelledby") == f"{title.get('id')} {told.get('id')}"
    assert title.text
    assert told.text


def test_the_words_hold_the_figures() -> None:
    told = ElementTree.fromstring(luck_svg(TWO)).find(f"{SVG}desc")
    assert told is not None
    assert told.text == "red -0.33 after 3 checks; blue <&> -1.00 after 2 checks"
    told = ElementTree.fromstring(faces_svg(D6)).find(f"{SVG}desc")
    assert told is not None
    assert str(told.text).startswith("60 dice, 10.00 expected of each face: 1 fell 10, 2 fell 20, 3 fell 0")


def test_nothing_hangs_on_colour() -> None:
    for picture in (luck_svg(TWO), faces_svg(D6)):
        assert set(re.findall(r'(?:fill|stroke)="([^"]*)"', picture)) <= {"currentColor", "none"}
    lines = re.findall(r"<polyline[^>]*>", luck_svg(TWO))
    assert len({"".join(re.findall(r'stroke-dasharray="[^"]*"', line)) for line in lines}) == 2


def test_names_at_the_ends_of_lines_keep_apart() -> None:
    many = [Course(f"seat {number}", (1,), (number + 1,), (Fraction(1),)) for number in range(6)]
    places = re.findall(r'<text x="550" y="([\d.]+)"', luck_svg(many))
    heights = sorted(map(float, places))
    assert len(heights) == 6
    assert all(below - above >= 14 for above, below in pairwise(heights))


def test_a_long_line_is_thinned_but_ends_where_it_ends() -> None:
    course = Course(
        "red", (1,) * 10_001, tuple(range(1, 10_002)), tuple(Fraction(number % 7) for number in range(10_001))
    )
    picture = luck_svg([course])
    points = re.findall(r'points="([^"]*)"', picture)[0].split()
    assert len(points) <= MAX_POINTS + 2
    assert points[-1].startswith("544.0,")
    assert len(picture) < 20_000


def test_the_course_of_luck_is_the_running_sum() -> None:
    rolls = [
        roll("d6", face, test="at_least", target=target, turn=turn) for face, target, turn in [(6, 4, 1), (1, 5, 2)]
    ]
    (course,) = courses(checks_of(rolls))
    assert course.over == (Fraction(1, 2), Fraction(1, 6))
    assert (course.turns, course.places) == ((1, 2), (1, 2))


def test_all_lines_run_to_the_last_check_of_all() -> None:
    ends = [points.split()[-1] for points in re.findall(r'points="([^"]*)"', luck_svg(TWO))]
    assert [end.split(",")[0] for end in ends] == ["544.0", "544.0"]


def test_a_terminal_shows_both_pictures() -> None:
    assert luck_text(TWO[0])[1:] == [
        "  t1     +1.00                     |####################",
        "  t2     -0.33              #######|",
    ]
    lines = faces_lines(D6)
    assert lines[0] == "d6 of the generator: 60 dice, 10.00 expected of each face"
    assert lines[2] == "     2     20 ####################|####################"
    assert all(len(line) <= 80 for line in lines)


def test_a_die_with_many_faces_is_drawn_in_groups() -> None:
    lines = faces_lines(Faces("x", "d100", 1, (2,) * 100))
    assert len(lines) == 21
    assert lines[1].startswith("   1–5     10 ")


def test_the_page_needs_nothing_from_elsewhere() -> None:
    rolls = [roll("d6", 1 + number % 6, test="at_least", target=4, turn=1) for number in range(30)]
    page = "\n".join(dice_html(audit("b", rolls, checks=RecordChecks(proof=("the chain of 3 events holds",)))))
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href)=|url\(|@import|<script", page)
    assert page.count("<svg") == 2
    assert "the chain of 3 events holds" in page
    assert len(re.findall("<tr>", page)) == 31
    ids = re.findall(r' id="([^"]*)"', page)
    assert len(ids) == len(set(ids))


def test_a_page_of_very_many_rolls_says_what_it_leaves_out() -> None:
    page = list(dice_html(audit("b", [roll("d6", 3)] * 5001)))
    assert "<p>The first 5000 of 5001 rolls; the CSV lists all of them.</p>" in page
