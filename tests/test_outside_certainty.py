"""Outside dice: what is certain, what is not, and that nothing is mended, guessed or taken from somebody's words."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.errors import DiaryError
from projections.dice.fairness import report_fairness, rerolled
from projections.dice.ledger import Entry
from replays.outside import OutsideLog, read_outside
from replays.outside.digits import readings, splits
from replays.outside.found import Run
from replays.outside.printed import deal, read_printed
from replays.outside.source import OutsideUnreadable
from replays.outside.sums import SumUnreadable, Term, read_sum
from replays.outside.times import find_zone, read_moment

Write: TypeAlias = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_(text: str, name: str = "log.txt") -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
        return tmp_path / name

    return write_


def read(path: Path, format_: str, **more: str) -> OutsideLog:
    return read_outside(path, format_, more.get("zone"), None, more.get("template"))


def told(log: OutsideLog) -> list[tuple[str, tuple[int, ...], int | None]]:
    return [(entry.notation, entry.faces, entry.total) for entry in log.entries]


# ---------------------------------------------------------------------------------- digits that run together


@pytest.mark.parametrize(
    ("dice", "digits", "total", "fitting", "ordered"),
    [
        ("3d6", "116", 8, [(1, 1, 6)], True),
        ("2d12", "512", 17, [(5, 12)], True),
        ("2d20", "111", 12, [(1, 11)], False),
        ("3d20", "11213", 26, [(1, 12, 13), (11, 2, 13)], True),
        ("3d20", "11213", 27, [], True),
        ("2d100", "10010", 110, [(100, 10)], True),
        ("2d10", "1010", 20, [(10, 10)], True),
    ],
)
def test_l74_run_together_digits_are_read_in_every_way_that_fits(
    dice: str, digits: str, total: int, fitting: list[tuple[int, ...]], ordered: bool
) -> None:
    found = readings(read_sum(dice), [Run(digits)], total)
    assert [reading[0].faces for reading in found.fitting] == fitting
    assert found.ordered == ordered


def test_an_ambiguous_roll_lists_its_readings_and_claims_none(write: Write) -> None:
    log = read(write("Water - (3d20)\n(11213) = 26\n"), "gamers-plane")
    assert log.entries[0].certainty == "ambiguous"
    assert log.entries[0].faces == ()
    assert log.entries[0].remarks == ("can be read as 1, 12, 13 or 11, 2, 13",)


def test_digits_with_no_fitting_sum_are_a_finding(write: Write) -> None:
    log = read(write("Water - (3d20)\n(11213) = 27\n"), "gamers-plane")
    assert "the sum does not fit" in log.findings[0].message
    assert log.entries[0].certainty == "ambiguous"


@given(st.lists(st.integers(1, 20), min_size=1, max_size=6))
def test_splits_find_every_reading_and_nothing_else(faces: list[int]) -> None:
    digits = "".join(map(str, faces))
    found = list(splits(digits, [Term(len(faces), 1, 20, len(faces))]))
    assert len(found) == len(set(found))
    assert tuple(faces) in found
    widths = product((1, 2), repeat=len(faces))
    cuts = {
        tuple(int(digits[sum(width[:die]) : sum(width[: die + 1])]) for die in range(len(width)))
        for width in widths
        if sum(width) == len(digits) and _cuts_well(digits, width)
    }
    assert set(found) == cuts


def _cuts_well(digits: str, widths: tuple[int, ...]) -> bool:
    parts = [digits[sum(widths[:die]) : sum(widths[: die + 1])] for die in range(len(widths))]
    return all(part[0] != "0" and 1 <= int(part) <= 20 for part in parts)


def test_too_many_readings_leave_the_total_only(write: Write) -> None:
    log = read(write(f"Storm - (60d20)\n({'1' * 90}) = 400\n"), "gamers-plane")
    assert (log.entries[0].certainty, log.entries[0].total) == ("total", 400)
    assert "more than 5,000 ways" in log.findings[0].message


# ------------------------------------------------------------------------------------------- sums, left to right


def test_left_to_right_and_precedence_are_two_dialects() -> None:
    assert read_sum("1d6+2*3", "left-to-right").value([4]) == 18
    assert read_sum("1d6+2*3", "math").value([4]) == 10


def test_a_wrong_sum_says_in_which_dialect_it_would_be_right(write: Write) -> None:
    log = read(write("(1d6+2*3) [4] + 2 * 3 = 18\n"), "ttw-new")
    assert log.entries[0].total == 18
    assert log.findings[0].message == (
        "1d6+2*3 comes to 10, but 18 is stated (it would be right from left to right)"
    )  # fmt: skip


OPERATORS = st.sampled_from("+-*")


@given(st.lists(st.tuples(OPERATORS, st.integers(0, 50)), max_size=8), st.integers(0, 50))
def test_sums_of_numbers_agree_with_python(rest: list[tuple[str, int]], first: int) -> None:
    text = str(first) + "".join(f"{sign}{number}" for sign, number in rest)
    assert read_sum(text).value([]) == eval(text)
    left = Fraction(first)
    for sign, number in rest:
        left = left + number if sign == "+" else left - number if sign == "-" else left * number
    assert read_sum(text, "left-to-right").value([]) == left


@given(st.text(alphabet="0123456789dDkhl%+-*/() !<>=^v", max_size=40))
def test_any_text_is_a_sum_or_is_refused(text: str) -> None:
    with suppress(SumUnreadable):
        dice = read_sum(text)
        dice.value([0] * len(dice.terms))
        dice.bounds()
        dice.notation()


def test_printed_numbers_must_be_those_that_were_asked_for() -> None:
    printed = read_printed("[12] + 7")
    assert printed is not None
    with pytest.raises(SumUnreadable, match=r"\+6 was asked for, but \+7 is printed"):
        deal(read_sum("1d20+6"), printed, flat=False)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("2d6: [3,4] = 8", "2d6 comes to 7, but 8 is stated"),
        ("2d6: [3,7] = 10", "a die shows 7, but its faces are 1 to 6"),
        ("2d6: [3] = 3", "2d6 shows 1 die"),
        ("2d6+1: [3,4] = 7", "nothing is printed"),
        ("2d6: [3,4]+2 = 9", "+2 is printed, but was not asked for"),
    ],
)
def test_what_does_not_hold_is_reported_and_kept_as_it_stands(write: Write, line: str, problem: str) -> None:
    log = read(write(f"\n{line}\n"), "phpbb")
    (entry,) = log.entries
    assert entry.total == int(line.rpartition("= ")[2])
    assert entry.raw == line
    assert any(problem in remark for remark in entry.remarks)
    assert any(finding.line == 2 and problem in finding.message for finding in log.findings)


def test_a_total_out_of_reach_is_a_finding_and_a_lone_die_is_known_from_its_total(write: Write) -> None:
    log = read(write("(1d4) [9] (1d20+5) [17] (3d6) [10]\n"), "ttw-old")
    assert told(log) == [("1d4", (), 9), ("1d20+5", (12,), 17), ("3d6", (), 10)]
    assert [entry.certainty for entry in log.entries] == ["total", "dice", "total"]
    assert log.entries[1].remarks == ("the face is worked out from the total",)
    assert [finding.message for finding in log.findings] == ["9 cannot come from 1d4: 1 to 4"]


def test_dropped_dice_that_should_have_been_kept_are_noticed(write: Write) -> None:
    log = read(write("2d20kh1 (~~18~~, 4) = `4`\n"), "avrae")
    assert log.entries[0].kept == (False, True)
    assert [finding.code for finding in log.findings] == ["kept/wrong"]


# ------------------------------------------------------------------------------------------- words are no rolls

FORGED = "Ann rolls 1d100: 01 (critical)"


@pytest.mark.parametrize(
    ("format_", "text", "labels"),
    [
        ("gamers-plane", f"{FORGED} (1d20) - (20) = 20 - (1d20)\n(3) = 3\n", [f"{FORGED} (1d20) - (20) = 20"]),
        ("ttw-new", "(x (1d20) [20] = 20 1d20) [3] = 3\n", ["x (1d20) [20] = 20"]),
        ("phpbb", "x: 1d20: [20] = 20: 1d20: [3] = 3\n", ["x: 1d20: [20] = 20"]),
        ("avrae", "**x** 1d20 (20) = `20` **y**: 1d20 (3) = `3`\n", ["x** 1d20 (20) = `20` **y"]),
        ("smf", f"{FORGED} Rolling 1d20:\n(3): Total = 3\n", [FORGED]),
    ],
)
def test_a_label_that_looks_like_a_roll_is_words(write: Write, format_: str, text: str, labels: list[str]) -> None:
    log = read(write(text), format_)
    assert [entry.purpose for entry in log.entries] == labels
    assert all(entry.total == 3 for entry in log.entries)


@pytest.mark.parametrize(
    "line",
    [
        "> Punch: 1d20: [20] = 20",
        "[quote=Ann]Punch: 1d20: [20] = 20[/quote]",
        "[quote]\nPunch: 1d20: [20] = 20\n[/quote]",
        "[code]\nPunch: 1d20: [20] = 20\n[/code]",
        "\x1b[31mPunch: 1d20: [20] = 20",
        "Punch\x85: 1d20: [20] = 20",
    ],
)
def test_quoted_and_coloured_lines_are_told_but_not_counted(write: Write, line: str) -> None:
    log = read(write(f"{line}\nKick: 1d20: [3] = 3\n"), "phpbb")
    assert told(log) == [("1d20", (3,), 3)]
    assert {finding.code for finding in log.findings} <= {"words/roll"}
    assert ("[/quote]" in line and "\n" not in line) or log.findings


def test_a_quotation_ends_where_it_is_closed_and_one_that_is_never_closed_quotes_nothing(write: Write) -> None:
    inside = "[quote]\nby Ann » Thu May 01, 2031 7:02 pm\na: 1d20: [20] = 20\n[/quote]\n"
    log = read(write(f"{inside}b: 1d20: [3] = 3\n[quote]\nc: 1d20: [4] = 4\n[quote]\nd: 1d4: [1] = 1[/quote]"), "phpbb")
    assert [(entry.purpose, entry.seat) for entry in log.entries] == [("b", ""), ("c", "")]


def test_digits_of_other_scripts_and_invisible_characters_make_no_roll(write: Write) -> None:
    text = "a: 1d20: [٢٠] = ٢٠\nb: 1d2\u200b0: [20] = 20\nc: 1d20: [3] = 3\n"
    assert told(read(write(text), "phpbb")) == [("1d20", (3,), 3)]


def test_a_line_separator_in_a_label_begins_no_line(write: Write) -> None:
    with pytest.raises(OutsideUnreadable, match="no roll in it"):
        read(write("I say\u2028Kick: 1d20: [20] = 20 so there\n"), "phpbb")


def test_what_a_member_types_above_the_rolls_of_gamers_plane_is_words(write: Write) -> None:
    log = read(write("Big hit - (1d20)\n(20) = 20\nRolls\nBig hit - (1d20)\n(3) = 3\n"), "gamers-plane")
    assert told(log) == [("1d20", (3,), 3)]
    assert [finding.code for finding in log.findings] == ["words/roll"]


def test_a_folded_subject_is_never_taken_for_dice(write: Write) -> None:
    mail = "Subject: x\n your dice are: 6,6\nFrom: a@example\n\n<html><body>your dice are: 1,2</body></html>\n"
    assert told(read(write(mail), "marti", template="d6")) == [("2d6", (1, 2), 3)]


def test_only_the_first_dice_of_a_mail_are_the_servers(write: Write) -> None:
    log = read(write("Subject: x\n\nYour dice are: 1,2\nYour dice are: 6,6\n"), "marti", template="d6")
    assert told(log) == [("2d6", (1, 2), 3)]
    assert [(finding.line, finding.code) for finding in log.findings] == [(4, "words/roll")]


@pytest.mark.parametrize(
    "label", [r"C:\ ", "*Ann*", "dex save please!", "ki strike", "e6 r3", "👩‍🚀 Łódź", 'a, b; "c"']
)
def test_labels_come_back_as_they_were_written(write: Write, label: str) -> None:
    quoted = label.replace('"', '""')
    entry = read(write(f'label,dice,faces\n"{quoted}",1d6,3\n'), "csv").entries[0]
    assert entry.purpose == label
    if '"' not in label:
        assert read(write(f"{label} - (1d6)\n(3) = 3\n"), "gamers-plane").entries[0].purpose == label.strip()


# ------------------------------------------------------------------------------------------- edited after roll


def post(total: int, who: str = "Ann") -> str:
    return f"=== post 17 by {who} ===\nPunch: 1d20: [{total}] = {total}\n"


def test_l73_two_versions_of_a_post_are_kept_and_neither_is_counted(write: Write) -> None:
    log = read(write(post(7) + post(17)), "phpbb")
    assert [(entry.total, entry.certainty) for entry in log.entries] == [(7, "ambiguous"), (17, "ambiguous")]
    assert log.entries[1].remarks == ("edited after roll: an earlier version of this post tells another roll",)
    assert log.findings[0].message == "post 17 comes again: edited after roll (Punch 1d20 = 7 became Punch 1d20 = 17)"
    assert log.findings[0].line == 4


def test_the_same_post_again_counts_once(write: Write) -> None:
    log = read(write(post(7) + post(7)), "phpbb")
    assert [(entry.total, entry.certainty) for entry in log.entries] == [(7, "dice")]
    assert [finding.code for finding in log.findings] == ["post/again"]


def test_a_roll_that_an_edit_took_away_is_noticed(write: Write) -> None:
    log = read(write(post(7) + "=== post 17 by Ann ===\nnothing happened\n"), "phpbb")
    assert [entry.certainty for entry in log.entries] == ["ambiguous"]
    assert "Punch 1d20 = 7 became no roll" in log.findings[0].message


def test_a_new_label_on_an_old_roll_is_an_edit(write: Write) -> None:
    log = read(write(post(7) + post(7).replace("Punch", "Kick")), "phpbb")
    assert "Punch 1d20 = 7 became Kick 1d20 = 7" in log.findings[0].message


def test_one_roll_of_the_server_in_two_posts_is_reported(write: Write) -> None:
    roll = "[roll=9]Punch: 1d20: [7] = 7[/roll]\n"
    log = read(write(f"=== post 1 by Ann ===\n{roll}=== post 2 by Ann ===\n{roll}"), "phpbb")
    assert [(finding.line, finding.code) for finding in log.findings] == [(4, "roll/again")]


def test_an_edit_and_its_undoing_leave_the_roll_in_doubt(write: Write) -> None:
    log = read(write(post(7) + post(17) + post(7)), "phpbb")
    assert {entry.certainty for entry in log.entries} == {"ambiguous"}


# ------------------------------------------------------------------------------------------- times


def test_a_time_without_a_zone_asks_for_one(write: Write) -> None:
    path = write("time,dice,faces\n2031-05-01 19:02,1d6,3\n")
    with pytest.raises(OutsideUnreadable, match=r"log.txt, line 2: .* no time zone: say which with --zone"):
        read(path, "csv")
    assert read(path, "csv", zone="Europe/Berlin").entries[0].at == 1_935_421_320_000_000
    assert read(path, "csv", zone="+02:00").entries[0].at == 1_935_421_320_000_000


def test_times_when_the_clocks_change_are_findings(write: Write) -> None:
    path = write("time,dice,faces\n2031-10-26 02:30,1d6,3\n2031-03-30 02:30,1d6,3\n")
    log = read(path, "csv", zone="Europe/Berlin")
    assert [finding.code for finding in log.findings] == ["time/twice", "time/skipped"]


def test_an_unreadable_time_is_a_finding_and_no_time(write: Write) -> None:
    log = read(write("time,dice,faces\n5/1/2031 7:02 PM,1d6,3\n2031-02-30 10:00,1d6,3\n"), "csv", zone="UTC")
    assert [entry.at for entry in log.entries] == [None, None]
    assert [finding.code for finding in log.findings] == ["time/unreadable"] * 2


@pytest.mark.parametrize(
    "zone", ["Europe/Nowhere", "../x", "/etc/passwd", "Europe", "a\0b", "+25:00", "\ud800", "x" * 9999]
)
def test_a_zone_that_does_not_exist_is_refused(zone: str) -> None:
    with pytest.raises(ValueError, match="write a name such as Europe/Berlin"):
        find_zone(zone)


@pytest.mark.parametrize(
    "text",
    [
        "2031-05-01 19:02",
        "2031-05-01T19:02:00",
        "May 1, 2031 7:02 pm",
        "Thu May 01, 2031 7:02 pm",
        "May 01, 2031, 07:02:00 PM",
        "Thu, 01 May 2031 19:02:00 +0000",
        "2031-05-01 19:02:00Z",
    ],
)
def test_times_are_read_as_the_boards_write_them(text: str) -> None:
    assert read_moment(text, find_zone("UTC")) == (1_935_428_520_000_000, "")


# ------------------------------------------------------------------------------------------- names


def test_names_belong_to_persons_however_their_letters_are_encoded(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('Ann = ["Orléans"]\n', encoding="utf-8")
    (tmp_path / "log.csv").write_text("who,dice,faces\nOrle\u0301ans,1d6,3\nOrleans,1d6,4\n", encoding="utf-8")
    log = read_outside(tmp_path / "log.csv", "csv", aliases=tmp_path / "a.toml")
    assert [entry.seat for entry in log.entries] == ["Ann", "Orleans"]
    assert [str(each).partition(": ")[2] for each in log.findings] == [
        "the aliases do not tell who 'Orleans' is; did you mean 'Orléans'?"
    ]


@pytest.mark.parametrize(
    "text", ["Ann = 3", "Ann = [3]", "Ann", "[x]\ny = 1", 'A = ["x"]\nB = ["x"]', "A = " + "[" * 5000]
)
def test_an_alias_file_that_cannot_work_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    (tmp_path / "log.csv").write_text("dice,faces\n1d6,3\n", encoding="utf-8")
    with pytest.raises(OutsideUnreadable) as refused:
        read_outside(tmp_path / "log.csv", "csv", aliases=tmp_path / "a.toml")
    assert str(refused.value).startswith(str(tmp_path / "a.toml"))
    assert "\n" not in str(refused.value)


# ------------------------------------------------------------------------------------------- the audit


@pytest.mark.parametrize(("dice", "flagged"), [(20, True), (1, False)])
def test_a_server_that_answers_twice_with_the_same_dice_is_noticed(write: Write, dice: int, flagged: bool) -> None:
    faces = ",".join(str(face % 6 + 1) for face in (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4)[:dice])
    mails = [
        f"From x\nSubject: {name}\n\nYour dice are: {faces}\nhttp://d.example/?enc={name * 8}\n\n" for name in "ab"
    ]
    log = read(write("".join(mails)), "marti", template="d6")
    assert len(log.entries) == 2
    found = [test.method for test in report_fairness(log.entries).flagged]
    assert ("repeats" in found) == flagged


def test_rolls_set_aside_until_one_is_good_are_noticed_by_their_label(write: Write) -> None:
    rows = "".join(f"Ann,Attack vs Orc,1d20,{face},no\n" for face in (3, 7, 2, 9))
    same = read(write(f"who,label,dice,faces,used\n{rows}Ann,Attack vs Orc,1d20,18,yes\n"), "csv")
    other = read(write(f"who,label,dice,faces,used\n{rows}Ann,Parry,1d20,18,yes\n"), "csv")
    assert [(each.unused, each.best) for each in rerolled(same.entries)] == [(4, True)]
    assert rerolled(other.entries) == ()


# ------------------------------------------------------------------------------------------- entries and their place


def test_the_error_belongs_to_the_one_family() -> None:
    assert issubclass(OutsideUnreadable, DiaryError)
    assert issubclass(OutsideUnreadable, ValueError)


def test_an_entry_that_came_from_outside_stands_in_no_line_of_a_battle(write: Write) -> None:
    entry: Entry = read(write("dice,faces\n1d6,3\n"), "csv").entries[0]
    assert (entry.battle, entry.line, entry.seq, entry.source) == ("log.txt", "", None, "imported")
