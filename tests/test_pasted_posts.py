"""Reading a pasted post: what is not an order goes, what may be one stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.orders.pasted import read_pasted

PLAIN = "grubnik: run 31,30"


@pytest.mark.parametrize(
    "line",
    [
        PLAIN,
        f"  {PLAIN}  ",
        f"[b]{PLAIN}[/b]",
        "[color=#ff0000][b]grubnik[/b][/color]: run 31,30",
        "**grubnik**: run 31,30",
        "***grubnik***: run `31,30`",
        "*grubnik*: run 31,30",
        "__grubnik__: run 31,30",
        f"- {PLAIN}",
        f"* {PLAIN}",
        f"• {PLAIN}",
        f"– {PLAIN}",
        f"1. {PLAIN}",
        f"12) {PLAIN}",
        f"[*]{PLAIN}",
        f"{PLAIN} :)",
        f"{PLAIN} ;-)",
        f"{PLAIN} :D :P",
        f"{PLAIN} :rolleyes:",
        f"{PLAIN} ^^",
        f"{PLAIN} <3",
        f"{PLAIN} 😀",
        f"{PLAIN} 👍🏽 ⚔️",
        f"⚔️ {PLAIN}",
        f"{PLAIN} ((if he can))",
        f"((as agreed)) {PLAIN}",
        f"[quote=Bob]no[/quote]{PLAIN}",
        f"[ooc]soon[/ooc] {PLAIN}",
    ],
)
def test_an_order_is_found_in_what_boards_make_of_it(line: str) -> None:
    assert read_pasted(line).text == PLAIN


@pytest.mark.parametrize("order", ['"snaga": aim short_bow at wilmot', "“snaga”: aim short_bow at wilmot"])
@pytest.mark.parametrize("smiley", [" :)", " 😀", " ^^ 👍🏽"])
def test_a_smiley_behind_quotation_marks_goes_and_one_within_stays(order: str, smiley: str) -> None:
    assert read_pasted(order + smiley).text == order
    assert read_pasted(f'snaga: chant "ha{smiley} ha"').text == f'snaga: chant "ha{smiley} ha"'


@pytest.mark.parametrize(
    "post",
    [
        "> quoted\n>> twice\n> > and so",
        "&gt; quoted in a page",
        "[quote]one\ntwo[/quote]",
        "[quote=Ann]one [quote]inner[/quote] still\nquoted[/quote]",
        '[QUOTE="Ann, post: 7, member: 3"]one[/QUOTE]',
        "(( one\n\ntwo ))",
        "OOC: I am away",
        "ooc : I am away",
        "**OOC:** I am away",
        "// I am away",
        "[OOC]I am away[/OOC]",
        "On Mon, 30 Nov 2026 at 10:00, Ann <ann@example.org> wrote:",
        "On Mon, 30 Nov 2026 at 10:00, The Referee <referee@example.org>\nwrote:\n> orders",
        "Am 30.11.2026 um 10:00 schrieb Ann:",
        "Ann wrote:\n> all",
        "--\nAnn",
        "-- \nAnn\nCaptain",
        "_________________\nA signature",
        "Sent from my telephone",
        "Von meinem iPhone gesendet",
        "-----Original Message-----\nFrom: ref\nSubject: orders",
        "From: Ann <ann@example.org>\nTo: ref@example.org\nSubject: Orders, turn 3\n\n",
        "Subject: Orders\n\n",
        "Betreff: Befehle\n\n",
        "---",
        "* * *",
        "```\n```",
        "[hr]",
        "[list][/list]",
        "",
        "\ufeff",
    ],
)
def test_what_belongs_to_the_post_goes(post: str) -> None:
    assert read_pasted(post).text.strip("\n\ufeff") == ""


@pytest.mark.parametrize(
    "line", ["We march at dawn.", "Grubnik will run", "OOC I am away", "( as agreed )", "so there; yes"]
)
def test_prose_that_is_not_marked_stays_to_be_refused(line: str) -> None:
    assert read_pasted(line).text == line


def test_lines_keep_their_numbers() -> None:
    post = f"hello\n> quoted\n\n((aside\n{PLAIN}\n))\n{PLAIN}"
    assert read_pasted(post).text.split("\n") == ["hello", "", "", "", "", "", PLAIN]


def test_marked_prose_is_listed_with_its_line() -> None:
    assert read_pasted("((a\nb))\nOOC: c\n// d").left_out == ((1, "a"), (2, "b"), (3, "OOC: c"), (4, "// d"))


def test_what_stands_under_a_signature_is_listed() -> None:
    assert (3, PLAIN) in read_pasted(f"a: b\n--\n{PLAIN}").below


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_end_of_line_will_do(end: str) -> None:
    assert read_pasted(f"> a{end}{PLAIN}{end}").text == f"\n{PLAIN}\n"


def test_names_are_left_alone_even_if_they_look_like_marks() -> None:
    names = ["1. Company", "👩‍🚀", ":)"]
    for line in ("1. Company: march 3,4", "👩‍🚀: hit bob", "bob: hit 👩‍🚀", "bob: hit :)"):
        assert read_pasted(line, names).text == line


def test_what_is_in_quotation_marks_is_left_alone() -> None:
    assert read_pasted("ann: chant “well done :)”").text == "ann: chant “well done :)”"


def test_a_whole_mail_is_unwrapped() -> None:
    mail = (
        "From: Ann <ann@example.org>\nSubject: orders\nMIME-Version: 1.0\n"
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        "snaga: aim short=5Fbow at =C3=86r=C3=B8\n> old\n"
    )
    assert read_pasted(mail).text.strip() == "snaga: aim short_bow at Ærø"


sheets = st.lists(
    st.from_regex(r"[a-z]{3,8}: [a-z]{3,8}( [a-z]{3,8}| [0-9]{1,2},[0-9]{1,2}){0,4}", fullmatch=True), max_size=8
)


@given(sheets)
def test_a_plain_sheet_comes_through_unchanged(lines: list[str]) -> None:
    assert read_pasted("\n".join(lines)).text == "\n".join(lines)


@given(sheets, st.data())
def test_orders_are_the_same_whatever_is_quoted_around_them(lines: list[str], data: st.DataObject) -> None:
    around = st.sampled_from(["> old: run", "[quote]old: run[/quote]", "((old: run))", "OOC: old", "", ":)"])
    post = "\n".join(text for line in lines for text in (data.draw(around), line))
    assert [line for line in read_pasted(post).text.split("\n") if line] == lines


@given(st.text(max_size=300))
def test_no_text_makes_it_stumble(text: str) -> None:
    post = read_pasted(text)
    assert len(post.text.split("\n")) == len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))


@given(st.text(alphabet="[](){}quote/ooc:*_->#=\n ", max_size=200))
def test_no_marks_make_it_stumble(text: str) -> None:
    read_pasted(text)
