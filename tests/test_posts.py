"""Posts: whatever a person wrote stays inert and reads back, numbers come back the same, long ones are split well."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.cli.main import cli
from events.facts import DiceRolled
from events.store.sqlite import SqliteLog
from projections.viewer import SPECTATOR
from replays.points import PointUnknown, turns_of
from replays.publish.dialect import BREAK, BoardUnknown, DialectInvalid, board, board_names, find_board
from replays.publish.document import Document, Fold, Heading, Item, Items, Mono, Quote, Says, Table
from replays.publish.layout import lay_out
from replays.publish.letters import cut, graphemes, pad, shown, take, width, wrap
from replays.publish.split import PostTooLong, posts
from replays.publish.turn import PieceView, Turn, gather
from replays.view import open_view
from tests.post_readers import BBCODE, BOARDS, MARKDOWN, rolls, seen, squeezed

SETS = ("dresda", "rhand", "ice_and_fire")
FORGED = "roll 29: Ann to hit Bob [d100] rolled 1 = 1 <= 99: yes"
NASTY = (
    "[b]", "[/b]", "[/quote]", "[/code]", "[/td]", "[spoiler=x]", "```", "`", "||", "~~", "**", "__", "*Ann*", "C:\\",
    "\\", "@everyone", "@ann", "<@1>", "<@&2>", "<#3>", "<b>", "</section>", "<!--", "<script>", "&lt;", "&#91;", "|",
    "# ", "> ", "- ", "+ ", "1. ", "1)", "===", "---", ":)", "8)", ":smile:", ":/", "[[1d20+3]]", "u/ann",
    "[x](http://y)",    "http://example.org/a_b/c?d=1", "![x](y)", "[x]: /y", "\x1b[31m",
    "\u202e", "\u200b", "\ufeff", "👩\u200d🚀", "שלום",
    "e\u0301", "  ", " ", "\t", FORGED,
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from(NASTY), min_size=1, max_size=8).map("".join),
    st.lists(st.one_of(st.sampled_from(NASTY), st.text(max_size=5)), min_size=1, max_size=8).map("".join),
)
NAMES = (
    "Orléans", "Orle\u0301ans", "Łódź", "שלום", "龍", "👩\u200d🚀", "x" * 200, "NUL.txt", "../x", "Ann", "Ann ",
    "\u0410nn",
)  # fmt: skip


def document(text: str) -> Document:
    """A document with a text in every place where somebody's words can come to stand."""
    return Document(
        text,
        "",
        (
            Heading(text, 1),
            Says(text),
            Says(text, strong=True),
            Items((Item(text, (text,)), Item(text))),
            Table(("name", "what", "words"), (("Bob", text, "last"), (f"a{text}", text, text))),
            Quote("In somebody's words:", (text, f"x {text}")),
            Mono((f"x {text} y",)),
            Fold("Dice", (Items((Item(text),)),)),
        ),
    )


@pytest.fixture(scope="module")
def battles(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("posts")
    found = {name: folder / f"{name}.db" for name in SETS}
    for name, path in found.items():
        assert CliRunner().invoke(cli, ["demo", name, "--keep", str(path)]).exit_code == 0
    return found


def turn_of(path: Path, name: str, turn: int = 0) -> Turn:
    with SqliteLog(path, read_only=True) as log:
        view = open_view(log, "demo", viewer=SPECTATOR)
        return gather(view, turn or turns_of(view)[-1].number)


# ---------------------------------------------------------------------------------------------------- inert text


def test_every_board_of_the_readers_has_a_dialect() -> None:
    assert sorted(BOARDS) == board_names()


@pytest.mark.parametrize("name", BOARDS)
@settings(max_examples=40)
@given(text=TEXTS)
@example(text="".join(NASTY))
@example(text=FORGED)
def test_l41_l78_whatever_a_person_wrote_is_inert_and_reads_back(name: str, text: str) -> None:
    (harmless,) = posts(document("x" * max(1, width(shown(text)))), replace(board(name), limit=0))
    (post,) = posts(document(text), replace(board(name), limit=0))
    found, expected = seen(name, post), seen(name, harmless)
    if width(shown(text)) <= 10 and shown(text):  # longer ones may change how a table is told
        assert found.markup == expected.markup
    told = squeezed(shown(text))
    assert squeezed(found.text).count(told) >= 11 or not told


@pytest.mark.parametrize("name", MARKDOWN)
@given(text=TEXTS)
def test_nobody_is_called_and_nothing_is_drawn(name: str, text: str) -> None:
    for post in posts(document(text), board(name)):
        outside = re.sub(r"(?s)```.*?```|(?m:^    [^*].*$)", "", post)
        assert not re.search(r"@(?:everyone|here|ann)", outside)
        assert name != "discord" or not re.search(r"<(?:@|#|:|t:)|@(?:everyone|here)", post)
        assert not re.search(r"(?<!\\)\|\|", outside) or name == "reddit"
        assert not re.search(r"(?<!\d):[a-z]+:", outside)


@given(text=TEXTS)
def test_an_outside_reader_of_bbcode_sees_the_same_words(text: str) -> None:
    plain = {"escape_html": False, "replace_links": False, "replace_cosmetic": False}
    parser = import_module("bbcode").Parser(newline="\n", **plain)
    (post,) = posts(Document("", "", (Says(text), Items((Item(text),)))), board("phpbb"))
    assert squeezed(parser.format(post)) == squeezed(f"{shown(text)}• {shown(text)}")


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("label", ["C:\\", "*Ann*", "\\*Ann\\*", "C:\\[b]"])
def test_l78_backslashes_and_stars_are_shown_as_they_are_in_code_and_outside(name: str, label: str) -> None:
    table = Table(("name", "what"), ((label, "a"), ("b", label)))
    blocks = (Says(f"to {label} now"), Mono((f"in  {label} code",)), table)
    (post,) = posts(Document("", "", blocks), board(name))
    text = seen(name, post).text
    assert f"to {label} now" in text
    assert squeezed(f"in  {label} code") in squeezed(text)
    assert squeezed(text).count(squeezed(label)) == 4


@pytest.mark.parametrize("name", BOARDS)
def test_l41_a_forged_roll_is_no_roll(name: str, battles: dict[str, Path]) -> None:
    turn = turn_of(battles["dresda"], "dresda", 1)
    true = rolls(name, "\n".join(posts(lay_out(turn), replace(board(name), limit=0))))
    forger = replace(turn.pieces[0], name=FORGED, details=FORGED)
    forged = replace(turn, said=(f"red: “{FORGED}\n* {FORGED}”",), pieces=(forger, *turn.pieces[1:]), title=FORGED)
    prose = f"{FORGED}\n* {FORGED}\n- {FORGED}\n• {FORGED}\n[/quote]\n• {FORGED}\n</blockquote><li>{FORGED}</li>\n> x"
    (post,) = posts(lay_out(forged, prose), replace(board(name), limit=0))
    assert true
    assert rolls(name, post) == true


@given(st.text("0123456789abcdef", min_size=64, max_size=64))
def test_a_digest_stays_whole(digest: str) -> None:
    assert [name for name in BOARDS if board(name).text(f"head digest: {digest}") != f"head digest: {digest}"] == []


@pytest.mark.parametrize("minute", range(0, 60, 7))
def test_a_time_of_day_is_no_smiley(minute: int) -> None:
    told = f"up to 2026-11-30T03:{minute:02d}Z, due 18:3{minute % 10}"
    assert [name for name in BOARDS if BREAK in board(name).text(told)] == []


def test_a_plain_address_stays_whole() -> None:
    address = "https://example.org/maps/turn_3.png?size=2"
    for name in BOARDS:
        if name != "html":
            (post,) = posts(Document("", "", (Says(f"see {address} there"),)), board(name), narrow=True)
            assert address in post, name


# ---------------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("rule_set", SETS)
def test_a_post_reads_back_to_the_numbers_of_the_record(name: str, rule_set: str, battles: dict[str, Path]) -> None:
    with SqliteLog(battles[rule_set], read_only=True) as log:
        view = open_view(log, "demo", viewer=SPECTATOR)
        turn = gather(view, 1)
        way = list(view.frames(turn.first - 1, turn.last))
    found = rolls(name, "\n\n".join(posts(lay_out(turn), board(name))))
    told = {step.record.seq: step.event for step in way if isinstance(step.event, DiceRolled)}
    assert told
    assert found.keys() == told.keys()
    for seq, rolled in told.items():
        assert (found[seq].faces, found[seq].total, found[seq].said) == (rolled.faces, rolled.total, rolled.success)
        assert found[seq].said == found[seq].worked_out


@pytest.mark.parametrize("name", BOARDS)
def test_a_post_tells_orders_outcomes_pieces_and_the_digest(name: str, battles: dict[str, Path]) -> None:
    turn = turn_of(battles["dresda"], "dresda", 1)
    post = squeezed("".join(seen(name, part).text for part in posts(lay_out(turn, "Smoke."), board(name))))
    wanted = [order.text for order in turn.orders] + [each.text for phase in turn.phases for each in phase.outcomes]
    wanted += [word for each in turn.pieces for word in (each.name, each.side, each.how, each.place, each.details)]
    wanted += [check.chances for phase in turn.phases for check in phase.checks] + [turn.digest, turn.secret, "Smoke."]
    assert len(wanted) > 30
    assert [each for each in wanted if squeezed(shown(each)) not in post] == []


def test_the_digest_is_that_of_the_record(battles: dict[str, Path]) -> None:
    turn = turn_of(battles["dresda"], "dresda", 1)
    with SqliteLog(battles["dresda"], read_only=True) as log:
        record = open_view(log, "demo").record(turn.last)
    assert turn.digest == record.hash


# ---------------------------------------------------------------------------------------------------- splitting


@pytest.mark.parametrize("sign", ["word ", "👩\u200d🚀", "e\u0301", "*[a] ", "x"])
def test_l77_a_long_post_comes_in_numbered_parts_that_keep_to_the_limit(sign: str) -> None:
    prose = (sign * 39528)[:39528]
    parts = posts(Document("Turn 3", "", (Heading("Turn 3", 1), Quote("Words:", (prose,)))), board("discord"))
    assert len(parts) >= 20
    for at, part in enumerate(parts, 1):
        assert len(part.encode("utf-16-le")) // 2 <= 2000
        assert part.startswith(f"**part {at} of {len(parts)} · Turn 3**")
        body = seen("discord", part.split("\n\n", 1)[1]).text.strip()
        assert not body or next(iter(graphemes(body))) not in ("\u200d", "\u0301", "\ufe0f")
    text = "".join(seen("discord", part.split("\n\n", 1)[1]).text for part in parts)
    assert squeezed(text) == squeezed(f"Turn 3 Words: {shown(prose)}")


def test_l77_no_code_block_is_cut_open() -> None:
    rows = tuple((f"fighter {number}", "👩\u200d🚀" * 4, str(number)) for number in range(300))
    parts = posts(Document("Turn 3", "", (Table(("name", "badge", "hits"), rows),)), board("discord"))
    assert len(parts) > 4
    found = []
    for part in parts:
        assert part.count("```") == 2
        assert len(part.encode("utf-16-le")) // 2 <= 2000
        head, rule, *lines = part.split("```")[1].strip().splitlines()
        assert head.split() == ["name", "badge", "hits"]
        assert set(rule) == {"-", " "}
        found += [tuple(re.split(" {2,}", line)) for line in lines]
    assert found == list(rows)


@settings(max_examples=30)
@given(st.lists(TEXTS, min_size=1, max_size=12), st.integers(400, 1500))
def test_parts_keep_to_any_limit_and_lose_nothing(texts: list[str], limit: int) -> None:
    blocks = tuple(Fold(f"no. {chr(97 + at)}", (Items((Item(text, (text * 9,)),)),)) for at, text in enumerate(texts))
    for name in ("discord", "xenforo", "mybb", "html"):
        dialect = replace(board(name), limit=limit)
        parts = posts(Document("T", "", blocks), dialect)
        assert all(dialect.size(part) <= limit for part in parts)
        bodies = [part.split("\n\n", 1)[1] for part in parts] if len(parts) > 1 else parts
        told = "".join(squeezed(seen(name, body).text) for body in bodies)
        for at, text in enumerate(texts):
            cut_apart = re.sub(r"no\.[a-l]|[•–]", "", told)
            assert squeezed(re.sub(r"[•–]", "", shown(text * 9))) in cut_apart, (at, name)


def test_a_part_of_what_was_not_played_says_so() -> None:
    parts = posts(Document("T", "line x: NOT PLAYED", (Says("word " * 900),)), board("discord"))
    assert len(parts) > 2
    assert all("NOT PLAYED" in part.splitlines()[0] for part in parts)


def test_a_limit_without_room_is_refused() -> None:
    with pytest.raises(DialectInvalid, match="400 or more"):
        find_board("discord", 100)
    with pytest.raises(PostTooLong):
        posts(Document("T", "", (Says("x" * 500),)), replace(board("xenforo"), limit=20))


# ---------------------------------------------------------------------------------------------------- letters


@pytest.mark.parametrize("name", ["phpbb", "discord", "mail"])
def test_l79_columns_stand_under_each_other_whatever_the_script(name: str) -> None:
    names = [each for each in NAMES if len(each) < 100]
    rows = tuple((each, "side", str(at)) for at, each in enumerate(names))
    (post,) = posts(Document("", "", (Table(("name", "side", "wounds"), rows),)), board(name))
    lines = [line.replace(BREAK, "") for line in post.splitlines() if "side" in line]
    assert len(lines) == len(names) + 1
    assert len({width(line[: line.index("side")]) for line in lines}) == 1
    for each in names:
        assert any(line.strip().startswith(f"{shown(each)}  ") for line in lines), each


@pytest.mark.parametrize("name", BOARDS)
def test_l79_names_are_told_exactly(name: str, battles: dict[str, Path]) -> None:
    pieces = tuple(PieceView(each, "red", "up", "", "", f"no. {at}") for at, each in enumerate(NAMES))
    turn = replace(turn_of(battles["dresda"], "dresda", 1), pieces=pieces)
    text = squeezed("".join(seen(name, part).text for part in posts(lay_out(turn), board(name))))
    assert all(squeezed(shown(each)) in text for each in NAMES)


def test_l79_names_that_look_alike_stay_different() -> None:
    assert shown("Ann ") == "Ann␣"
    assert len({shown(each) for each in NAMES}) == len(NAMES)


@given(st.text(max_size=30), st.integers(1, 12))
def test_cutting_never_breaks_a_sign(text: str, columns: int) -> None:
    signs = list(graphemes(text))
    assert "".join(signs) == text
    head = take(text, columns)
    assert head == "".join(signs[: len(list(graphemes(head)))])
    assert width(cut(text, columns + 2)) <= columns + 2
    assert width(pad(head, 40)) == max(40, width(head))


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=80), st.integers(4, 40))
def test_wrapped_lines_fit_and_lose_nothing(text: str, columns: int) -> None:
    text = shown(text)
    lines = wrap(text, columns, 1)
    assert all(width(line) <= columns or "http" in line for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


# ---------------------------------------------------------------------------------------------------- small screens


@pytest.mark.parametrize("name", [each for each in BOARDS if each != "html"])
@pytest.mark.parametrize("rule_set", SETS)
def test_l83_no_line_is_wider_than_a_phone(name: str, rule_set: str, battles: dict[str, Path]) -> None:
    turn = turn_of(battles[rule_set], rule_set)
    prose = "The smoke hangs low over the ford, and nobody sees https://example.org/a/very/long/address/indeed.png"
    for part in posts(lay_out(turn, prose), board(name), narrow=True):
        for line in seen(name, part).text.splitlines() if name not in MARKDOWN else part.splitlines():
            plain = re.sub(r"\\([^A-Za-z0-9\s])", r"\1", line.replace(BREAK, ""))
            assert width(plain) <= 40 or "https://" in plain, plain


@pytest.mark.parametrize("name", BOARDS)
def test_l83_narrow_tables_are_told_by_name_and_value(name: str) -> None:
    table = Table(("unit", "wounds", "order"), (("Spears", "1/3", "hold"), ("Bows", "0/2", "shoot")))
    (post,) = posts(Document("", "", (table,)), board(name), narrow=True)
    lines = [line.strip(" -*•") for line in seen(name, post).text.splitlines() if line.strip()]
    if name == "html":
        assert "<th scope" in post  # the browser reflows it, and readers of screens tell it by its heads
    else:
        assert lines == ["unit: Spears", "wounds: 1/3", "order: hold", "unit: Bows", "wounds: 0/2", "order: shoot"]


# ---------------------------------------------------------------------------------------------------- without colour


@pytest.mark.parametrize("name", BOARDS)
def test_l84_all_is_told_in_words(name: str, battles: dict[str, Path]) -> None:
    turn = replace(turn_of(battles["dresda"], "dresda", 1), mark="line why: NOT PLAYED")
    (post,) = posts(lay_out(turn), replace(board(name), limit=0))
    assert not re.search(r"colou?r|style=", post, re.IGNORECASE)
    text = seen(name, post).text
    verdicts = {check.line.rsplit(" ", 1)[-1] for phase in turn.phases for check in phase.checks}
    assert verdicts & {"yes", "no"}
    for wanted in ("NOT PLAYED", *verdicts, *turn.sides, *{piece.how for piece in turn.pieces}):
        assert wanted in text


def test_l84_html_has_headings_and_heads(battles: dict[str, Path]) -> None:
    (post,) = posts(lay_out(turn_of(battles["dresda"], "dresda", 1)), board("html"))
    markup = [each.split()[0] for each in seen("html", post).markup]
    assert markup.count("h2") == 1
    assert markup.count("h3") >= 5
    assert '<th scope="col">' in post
    opened = [each for each in markup if not each.startswith("/")]
    assert sorted(opened) == sorted(each[1:] for each in markup if each.startswith("/"))


# ---------------------------------------------------------------------------------------------------- dialects as data


def test_a_board_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    told = 'base = "phpbb"\nname = "ours"\nlimit = 5000\nfold = ["[hide={title}]", "[/hide]"]\n'
    path.write_text(told, encoding="utf-8")
    (post,) = posts(Document("", "", (Fold('Di"ce]', (Says("[b]"),)),)), find_board(str(path)))
    assert post == f"[hide=Di'ce']\n[{BREAK}b]\n[/hide]"
    assert find_board(str(path), 9000).limit == 9000


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("name = 1", "Expected `str`"),
        ('base = "phpbb"\nbold = "[b]"', "bold must hold {text}"),
        ('base = "phpbb"\nfold = ["x"]', "fold is two texts"),
        ('base = "phpbb"\ntable = "tags"', "needs table_tags"),
        ('base = "phpbb"\ninert = { after = ["("] }', "cannot be read"),
        ('base = "phpbb"\ncolour = "red"', "unknown field `colour`"),
        ("x =", "not TOML"),
    ],
)
def test_a_dialect_that_cannot_be_is_refused_in_one_line(tmp_path: Path, text: str, wrong: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DialectInvalid, match=re.escape(wrong)) as error:
        find_board(str(path))
    assert "\n" not in str(error.value)


def test_an_unknown_board_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(BoardUnknown, match=r"discord, discourse"):
        find_board("geocities")


# ---------------------------------------------------------------------------------------------------- the verb


def ran(path: Path, *words: str) -> str:
    result = CliRunner().invoke(cli, [*words, "--db", str(path)])
    assert result.exit_code == 0, (words, result.output, result.exception)
    return result.stdout


def test_a_turn_is_posted_to_several_boards_and_remembered_once(tmp_path: Path) -> None:
    path = tmp_path / "war.db"
    assert CliRunner().invoke(cli, ["demo", "--scenario", "dresda_skirmish", "--keep", str(path)]).exit_code == 0
    first = json.loads(ran(path, "post", "demo", "--turn", "1", "--for", "discord", "--for", "mail", "--json"))
    again = json.loads(ran(path, "post", "demo", "--turn", "1", "--for", "discord", "--for", "mail", "--json"))
    assert first == again
    assert [each["board"] for each in first] == ["discord", "mail"]
    told = ran(path, "log", "demo", "--kind", "table")
    assert told.count("turn 1 posted for spectator to") == 2
    before = ran(path, "log", "demo")
    ran(path, "post", "demo", "--for", "mail", "--preview")
    assert ran(path, "log", "demo") == before


def test_parts_and_pictures_go_to_files(tmp_path: Path, battles: dict[str, Path]) -> None:
    out, picture = tmp_path / "turn.txt", tmp_path / "field.svg"
    words = [
        "post",
        "demo",
        "--turn",
        "1",
        "--for",
        "discord",
        "--out",
        str(out),
        "--picture",
        str(picture),
        "--preview",
    ]
    ran(battles["dresda"], *words)
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    parts = sorted(tmp_path.glob("turn-*.txt"))
    assert len(parts) > 1
    assert all(len(each.read_text(encoding="utf-8")) <= 2001 for each in parts)


def test_a_phase_is_posted_alone(battles: dict[str, Path]) -> None:
    told = ran(battles["dresda"], "post", "demo", "--turn", "1", "--phase", "move", "--for", "mail", "--preview")
    assert "turn 1, move" in told
    assert "-- Move\n" in told
    assert "-- Missile" not in told


def test_what_is_not_there_is_said_in_one_line(battles: dict[str, Path]) -> None:
    for words, wrong in (
        (["--for", "mail", "--turn", "99"], "turns of line main so far: "),
        (["--for", "mail", "--turn", "1", "--phase", "tea"], "phases of turn 1: t1/declare"),
        (["--for", "geocities"], "no board 'geocities'"),
        (["--for", "mail", "--as", "nobody"], "nobody"),
        ([], "say for which board"),
    ):
        result = CliRunner().invoke(cli, ["post", "demo", "--preview", *words, "--db", str(battles["dresda"])])
        assert result.exit_code in (1, 2)
        assert wrong in result.stderr
        assert result.stderr.count("\n") == 1


def test_what_was_not_played_is_marked_and_not_remembered(tmp_path: Path) -> None:
    path = tmp_path / "war.db"
    assert CliRunner().invoke(cli, ["demo", "--scenario", "dresda_skirmish", "--keep", str(path)]).exit_code == 0
    ran(path, "branch", "demo", "why", "--at", "t2")
    told = ran(path, "post", "demo", "--line", "why", "--as", "referee", "--turn", "1", "--for", "mail")
    assert "line why: NOT PLAYED" in told
    assert "posted for" not in ran(path, "log", "demo", "--line", "why")


def test_the_boards_are_listed() -> None:
    told = CliRunner().invoke(cli, ["post", "demo", "--boards"]).output
    assert all(re.search(rf"^{name} ", told, re.MULTILINE) for name in board_names())


def test_a_turn_that_is_not_there_is_named(battles: dict[str, Path]) -> None:
    with pytest.raises(PointUnknown, match="so far"):
        turn_of(battles["dresda"], "dresda", 77)


def test_bbcode_boards_break_every_bracket() -> None:
    for name in BBCODE:
        assert board(name).text("[b]x[/b]") == f"[{BREAK}b]x[{BREAK}/b]"
