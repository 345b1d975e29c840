"""A battle on film: small, complete, inert, the same as the fold, readable without colour and by keyboard."""

from __future__ import annotations

import re
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from events.corrections import Superseded
from events.facts import BattleOpened, DiceRolled
from events.store.log import Log
from events.store.record import Draft, Line
from projections.journal import caption
from projections.scene import STANDINGS
from projections.svg import Sheet, area_markup, glyph, wall_markup
from replays.html_replay import HtmlReplay, html_replay
from replays.html_replay.frames import pose_after
from replays.seek import state_at, steps
from replays.view import view_line
from tests.every_fact import BEGAN, EVERY, SEATS, long_battle, record
from tests.toy import Placed, toy_fold
from tests.toy_scene import drawn_toy, toy_scene

EVIL = '</script><img src=x onerror="alert(1)"><script>alert(2)</script>[[data]]'
FOLD = drawn_toy()


class Page(HTMLParser):
    """What a browser would find: elements with their attributes, and scripts with what is in them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.stack: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.stack.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.stack and self.stack.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.stack:
            self.texts.setdefault(self.stack[-1], []).append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def film_of(page: str) -> HtmlReplay:
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    return msgspec.json.decode(data[1], type=HtmlReplay)


def words(rule: str) -> str:
    return f"the text of {rule}" if rule == "DR-053" else ""


@pytest.fixture(scope="module")
def told() -> tuple[Log, Line, str]:
    log, line = record(long_battle(700))
    return (
        log,
        line,
        html_replay(view_line(log, FOLD, line), words),
    )


def test_a_film_of_5000_events_is_under_2_mb() -> None:
    log, line = record(long_battle(5000, pieces=100))
    page = html_replay(view_line(log, FOLD, line))
    assert len(page.encode()) < 2_000_000
    assert len(film_of(page).captions) == 5001


def test_a_film_fetches_nothing(told: tuple[Log, Line, str]) -> None:
    page = told[2]
    assert set(re.findall(r"https?://[^\"'\s<]*", page)) <= {"http://www.w3.org/2000/svg"}
    assert set(re.findall(r"url\([^)]*\)", page)) <= set(re.findall(r"url\(#wd-\w+\)", page))
    read = Page(page)
    assert not read.all("link") + read.all("img") + read.all("iframe")
    assert not [attributes for _, attributes in read.found if "src" in attributes]
    assert not [link for link in read.all("a") if not str(link["href"]).startswith("#")]


def test_the_browser_is_told_to_fetch_nothing_and_run_nothing_else(told: tuple[Log, Line, str]) -> None:
    page = told[2]
    (policy,) = [each["content"] for each in Page(page).all("meta") if "http-equiv" in each]
    assert str(policy).startswith("default-src 'none';")
    for tag, text in (("script", page.split("<script>")[-1].split("</script>")[0]),
                      ("style", page.split("<style>")[1].split("</style>")[0])):  # fmt: skip
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in str(policy)


def test_what_people_wrote_is_inert() -> None:
    events = [BattleOpened(EVIL, "toy", "1", SEATS, ""), Placed(EVIL, "red", 3), *EVERY[1:6]]
    log, line = record(events)
    fork = log.fork(line, "if", 3, BEGAN + 10**12, "red", EVIL, played=False)
    for each in (line, fork):
        page = html_replay(view_line(log, FOLD, each), lambda rule: EVIL)
        read = Page(page)
        assert len(read.all("script")) == 2
        assert not read.all("img")
        assert page.count("</script") == 2
        assert film_of(page).captions[1].startswith(EVIL)
        assert any(EVIL in text for text in read.texts["h1"])


def poses_at(film: HtmlReplay, frame: int) -> Mapping[str, Sequence[int]]:
    """Return every piece's numbers in a frame, by id: what the page shows."""
    poses: dict[str, Sequence[int]] = {}
    for changes in film.marks[: frame + 1]:
        for change in changes:
            pose = pose_after(poses.get(film.pieces[change[0]]), change)
            if pose is None:
                del poses[film.pieces[change[0]]]
            else:
                poses[film.pieces[change[0]]] = pose
    return poses


def test_the_film_shows_what_the_fold_says(told: tuple[Log, Line, str]) -> None:
    log, line, page = told
    film = film_of(page)
    sheet = Sheet(film.width, film.height)
    for seq in [0, 1, 5, 25, *range(26, 700, 61), 700]:
        scene = toy_scene(state_at(log, toy_fold(), line, seq))  # type: ignore[arg-type]
        shown = poses_at(film, seq)
        assert set(shown) == {mark.id for mark in scene.marks}
        for mark in scene.marks:
            drawn, x, y, facing, label, side, state, note = shown[mark.id]
            assert film.strings[drawn] == glyph(sheet, mark)
            assert (x, y, facing, side) == (mark.at.x, mark.at.y, mark.facing, mark.side)
            assert (film.strings[label], film.strings[note]) == (mark.label, mark.note)
            assert STANDINGS[state] == mark.state
        lying: dict[int, int] = {}
        for frame, *changes in film.ground:
            if frame <= seq:
                lying.update(zip(changes[::2], changes[1::2], strict=True))
        drawn_ground = {film.strings[text] for text in lying.values() if text >= 0}
        expected = {area_markup(sheet, area) for area in scene.areas}
        assert drawn_ground == expected | {wall_markup(sheet, wall) for wall in scene.walls}


def test_captions_turns_and_times_are_those_of_the_record(told: tuple[Log, Line, str]) -> None:
    log, line, page = told
    film = film_of(page)
    clock = 0
    turn = 0
    turns = {frame: turn for frame, turn in film.turns}  # noqa: C416 - lists are no pairs
    for step in steps(log, FOLD, line):
        seq = step.record.seq
        clock += film.times[seq]
        turn = turns.get(seq, turn)
        assert film.captions[seq] == caption(FOLD, step.event, step.before)
        assert clock == step.record.at // 1_000_000
        assert turn == step.after.table.turn


def test_L21_the_last_roll_of_a_frame_is_never_a_later_one(told: tuple[Log, Line, str]) -> None:
    log, line, page = told
    rolls = [step.record.seq for step in steps(log, FOLD, line) if isinstance(step.event, DiceRolled)]
    assert film_of(page).rolls == rolls


def test_every_roll_says_why_and_the_rule_in_words(told: tuple[Log, Line, str]) -> None:
    film = film_of(told[2])
    for frame in film.rolls[:20]:
        lines, rules = film.whys[film.why[frame]]
        reasons = [film.strings[line] for line in lines]
        assert any("firer on higher ground" in line for line in reasons)
        assert any("to reach (at most), by DR-053" in line for line in reasons)
        assert "DR-053" in [film.strings[rule] for rule in rules]
    assert film.rules == {"DR-053": "the text of DR-053"}


def test_L26_every_kind_of_fact_has_its_frame() -> None:
    log, line = record(EVERY)
    film = film_of(html_replay(view_line(log, FOLD, line)))
    assert len(film.captions) == len(EVERY) + 1
    assert all(words.strip() for words in film.captions)


def test_a_line_that_was_not_played_or_put_right_says_so() -> None:
    log, line = record(long_battle(60))
    fork = log.fork(line, "if", 40, BEGAN + 10**12, "red", "a charge", played=False)
    assert "NOT PLAYED" in html_replay(view_line(log, FOLD, fork))
    assert "NOT PLAYED" not in html_replay(view_line(log, FOLD, line))
    log.append(line, [Draft(Superseded("right", "undo", "slip"), "referee")], 60, BEGAN + 10**12)
    assert "<strong>SUPERSEDED</strong>: superseded by line right" in html_replay(view_line(log, FOLD, line))


def test_the_same_line_gives_the_same_bytes(told: tuple[Log, Line, str]) -> None:
    log, line, page = told
    assert html_replay(view_line(log, drawn_toy(), line), words) == page


def test_a_rule_set_without_a_field_still_makes_a_film() -> None:
    log, line = record(EVERY)
    page = html_replay(view_line(log, toy_fold(), line))
    assert "draws no field" in page
    assert len(film_of(page).captions) == len(EVERY) + 1


def test_L84_headings_tables_and_controls_are_there_for_everybody(told: tuple[Log, Line, str]) -> None:
    page = told[2]
    read = Page(page)
    links = {text for text in read.texts["a"] if text.startswith("Turn ")}
    assert len(links) == len(film_of(page).turns) > 5
    assert page.count("<h3><a href=") >= len(links)
    assert all(head.get("scope") == "col" for head in read.all("th"))
    assert [each for each in read.all("p") if each.get("aria-live") == "polite"]
    assert all(button.get("type") == "button" for button in read.all("button"))
    assert not [attributes for _, attributes in read.found if str(attributes.get("tabindex", "0")) != "0"]
    named = {"slider": "aria-label", "controls": "aria-label", "field": "aria-labelledby"}
    for name, attribute in named.items():
        (element,) = [attributes for _, attributes in read.found if attributes.get("id") == name]
        assert element.get(attribute)


def test_L84_success_side_and_standing_are_words(told: tuple[Log, Line, str]) -> None:
    film = film_of(told[2])
    verdicts = {film.captions[frame].rsplit(": ", 1)[1] for frame in film.rolls}
    assert verdicts == {"yes", "no"}
    assert film.sides == ("Red", "Blue")
    assert film.standings == STANDINGS


CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.mark.skipif(CHROMIUM is None, reason="no browser here")
def test_a_browser_shows_the_frame_that_its_address_names(told: tuple[Log, Line, str], tmp_path: Path) -> None:
    log, line, page = told
    path = tmp_path / "film.html"
    path.write_text(page, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'browser'}", "--dump-dom"]
    done = subprocess.run(
        [str(CHROMIUM), *options, f"{path.as_uri()}#407"], capture_output=True, text=True, timeout=60, check=True
    )
    film = film_of(page)
    scene = toy_scene(state_at(log, toy_fold(), line, 407))  # type: ignore[arg-type]
    assert Page(done.stdout).texts["p"]
    assert f"407  {film.captions[407]}".replace(">", "&gt;").replace("<", "&lt;") in done.stdout
    moved = dict(re.findall(r'transform="(translate\([^)]*\))" data-piece="(\w+)"', done.stdout))
    sheet = Sheet(film.width, film.height)
    expected = {}
    for mark in scene.marks:
        x, y = sheet.spot(mark.at)
        expected[mark.id] = (x, y)
    shown = {
        name: tuple(round(float(number) * 10) for number in re.findall(r"[-\d.]+", where))
        for where, name in moved.items()
    }
    assert shown.keys() == expected.keys()
    assert all(abs(a - b) <= 1 for name in shown for a, b in zip(shown[name], expected[name], strict=True))
