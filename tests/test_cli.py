"""The command line as a referee uses it: one line for what is wrong, JSON for programs, nothing recorded on refusal."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.cli.main import VERBS, cli

ROOT = Path(__file__).resolve().parent.parent
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)

    def call(*words: str, given: str | None = None) -> Result:
        result = CliRunner().invoke(cli, list(words), input=given)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return call


@pytest.fixture
def ford(run: Run) -> Run:
    assert run("new", "ford", "--scenario", "dresda_skirmish").exit_code == 0
    return run


def events(run: Run) -> int:
    return int(json.loads(run("battles", "--json").stdout)[0]["events"])


def test_a_battle_from_scenario_to_proof(ford: Run) -> None:
    assert ford("order", "ford", "orcs", "snaga: aim short_bow at aldric").exit_code == 0
    assert ford("next", "ford").exit_code == 0
    sheet = "grubnik: run 31,30\naldric: walk 34,40\n"
    assert ford("orders", "ford", "-", given=sheet).exit_code == 0
    for _ in range(2):
        assert ford("next", "ford").exit_code == 0
    assert "t2/declare" in ford("rule", "ford").stdout
    checked = ford("verify", "ford", "--adjudicate")
    assert checked.exit_code == 0, checked.stderr
    assert "the chain holds" in checked.stdout
    assert "nothing differs" in checked.stdout


def test_every_verb_answers_help_with_what_it_is_for(run: Run) -> None:
    overview = run("--help").stdout
    for verb in VERBS:
        told = run(verb, "--help")
        assert told.exit_code == 0, verb
        assert verb in overview


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("show", "nowhere"), 1, "no war diary"),
        (("new", "x y", "--scenario", "dresda_skirmish"), 1, "battle id"),
        (("new", "x", "--scenario", "dresda_skirmsh"), 1, "dresda_skirmish"),
        (("frobnicate",), 2, "no verb 'frobnicate'"),
        (("shwo", "x"), 2, "show"),
        (("show",), 2, "BATTLE"),
        (("rules", "dresda", "DR-999"), 1, "DR-999"),
        (("rules", "chess"), 1, "dresda"),
        (("verify", "nowhere"), 1, "no war diary"),
    ],
)
def test_bad_usage_gets_one_clear_line(run: Run, words: tuple[str, ...], code: int, says: str) -> None:
    result = run(*words)
    assert result.exit_code == code
    assert result.stderr.startswith("wardiary: ")
    assert result.stderr.count("\n") == 1
    assert says in result.stderr
    assert not Path("war.db").exists() or words[0] == "new"


@pytest.mark.parametrize(
    ("sheet", "says"),
    [
        ("grubnik: amb short_bow at aldric", ["line 1", "aim"]),
        ("\n\ngrubnik: charge aldrc", ["line 3", "aldric"]),
        ("grubnik: run 500,500", ["line 1", "DR-"]),
        ("gargoyle: walk 1,1", ["line 1", "grubnik"]),
        ("grubnik: walk", ["line 1"]),
        ("snaga: walk 46,10\ngrubnik: fly", ["line 2", "fly"]),
        ("# nothing but a comment", ["no order"]),
        ("", ["no order"]),
    ],
)
def test_a_bad_sheet_is_refused_whole_with_line_and_mend(ford: Run, sheet: str, says: list[str]) -> None:
    before = events(ford)
    result = ford("orders", "ford", "-", given=sheet)
    assert result.exit_code == 1
    for each in says:
        assert each in result.stderr
    assert events(ford) == before


def test_the_same_request_twice_is_one_order(ford: Run) -> None:
    words = ("order", "ford", "orcs", "snaga: aim short_bow at aldric", "--request", "mail-17")
    assert ford(*words).exit_code == 0
    count = events(ford)
    again = ford(*words)
    assert again.exit_code == 0
    assert "carried out before" in again.stdout
    assert events(ford) == count
    other = ford("order", "ford", "orcs", "snaga: aim short_bow at wilmot", "--request", "mail-17")
    assert other.exit_code == 1


def test_a_stale_expectation_is_a_conflict_that_names_what_came_between(ford: Run) -> None:
    seen = str(events(ford))
    ford("note", "ford", "tea break")
    result = ford("next", "ford", "--expect", seen)
    assert result.exit_code == 1
    assert "table.noted" in result.stderr


def test_what_verbs_that_read_print_as_json_can_be_read(ford: Run) -> None:
    ford("next", "ford")
    for words in (
        ("show", "ford"),
        ("show", "ford", "--at", "t1"),
        ("explain", "ford", "3"),
        ("verify", "ford", "--adjudicate"),
        ("battles",),
        ("lines", "ford"),
        ("rules",),
        ("rules", "dresda", "DR-053"),
        ("rules", "dresda", "--orders"),
        ("doctor",),
    ):
        assert json.loads(ford(*words, "--json").stdout), words
    for line in ford("log", "ford", "--json").stdout.splitlines():
        assert json.loads(line)["caption"]


def test_a_tampered_export_is_named_with_its_first_event(ford: Run) -> None:
    for _ in range(3):
        ford("next", "ford")
    assert ford("export", "ford", "ford.jsonl").exit_code == 0
    assert ford("verify", "ford.jsonl", "--adjudicate").exit_code == 0
    lines = Path("ford.jsonl").read_text(encoding="utf-8").splitlines()
    at = next(place for place, line in enumerate(lines) if place and "grubnik" in line)
    spoilt = lines[at].replace("grubnik", "grubnok")
    Path("bad.jsonl").write_text("\n".join([*lines[:at], spoilt, *lines[at + 1 :]]) + "\n", encoding="utf-8")
    result = ford("verify", "bad.jsonl", "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert (told["ok"], told["seq"]) == (False, at)


def test_a_file_changed_by_hand_is_named_with_its_first_event_though_its_guards_are_gone(ford: Run) -> None:
    with sqlite3.connect("war.db") as db:
        db.execute("DROP TRIGGER event_no_update")
        db.execute("UPDATE event SET body = replace(body, 'snaga', 'snagg') WHERE body LIKE '%snaga%'")
        first = db.execute("SELECT min(seq) FROM event WHERE body LIKE '%snagg%'").fetchone()[0]
    db.close()
    result = ford("verify", "ford")
    assert result.exit_code == 1
    assert f"event {first}" in result.stderr
    assert ford("show", "ford").exit_code == 1
    assert ford("export", "ford", "ford.jsonl").exit_code == 0


def test_an_exported_battle_goes_on_elsewhere(ford: Run) -> None:
    ford("next", "ford")
    ford("export", "ford", "ford.jsonl")
    assert ford("import", "ford.jsonl", "--db", "other.db").exit_code == 0
    assert ford("import", "ford.jsonl", "--db", "other.db").exit_code == 1
    for _ in range(3):
        assert ford("next", "ford", "--db", "other.db").exit_code == 0
    checked = ford("verify", "ford", "--adjudicate", "--db", "other.db")
    assert checked.exit_code == 0, checked.stderr


def test_an_export_holds_no_secret(ford: Run) -> None:
    ford("export", "ford", "ford.jsonl")
    text = Path("ford.jsonl").read_text(encoding="utf-8")
    secrets = sqlite3.connect("war.db").execute("SELECT root FROM secret").fetchall()
    assert secrets
    assert all(root not in text for (root,) in secrets)


def test_the_demonstration_plays_a_whole_battle(run: Run) -> None:
    told = run("demo")
    assert told.exit_code == 0
    assert "the battle is over" in told.stdout
    assert "the chain holds" in told.stdout


def test_own_tables_are_laid_over_and_recorded(run: Run) -> None:
    assert run("tables", "dresda", "--copy", "mine").exit_code == 0
    path = Path("mine/missile_weapons.toml")
    path.write_text(path.read_text(encoding="utf-8").replace('"65/5"', '"66/5"'), encoding="utf-8")
    assert run("tables", "dresda", "--check", "mine").exit_code == 0
    assert run("new", "ford", "--scenario", "dresda_skirmish", "--tables", "mine").exit_code == 0
    path.write_text(path.read_text(encoding="utf-8").replace('"66/5"', '"6x/5"'), encoding="utf-8")
    bad = run("new", "other", "--scenario", "dresda_skirmish", "--tables", "mine")
    assert bad.exit_code == 1
    assert "missile_weapons" in bad.stderr


# ------------------------------------------------------------------------------------------------ files and words


def test_alone_it_shows_its_help(run: Run) -> None:
    alone = run()
    assert alone.exit_code == 0
    assert alone.stdout == run("--help").stdout


def test_a_verb_that_is_none_is_told_in_one_line_with_one_way_out(run: Run) -> None:
    told = run("frobnicate").stderr
    assert told.startswith("wardiary: no verb 'frobnicate'; see `")
    assert told.count("--help") == 1


@pytest.mark.parametrize("words", [("next", "ford"), ("rule", "ford", "k", "a"), ("doctor",), ("undo", "ford")])
def test_only_opening_or_taking_over_a_battle_makes_a_file(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    more = ("--why", "x", "--dice", "keep") if words[0] == "undo" else ()
    refused = run(*words, *more)
    assert refused.exit_code == 1
    assert refused.stderr.startswith("wardiary: there is no war diary at war.db")
    assert list(tmp_path.iterdir()) == []


def test_taking_over_a_file_that_is_not_there_makes_none(run: Run, tmp_path: Path) -> None:
    assert run("import", "nowhere.jsonl").exit_code == 1
    assert list(tmp_path.iterdir()) == []


def test_a_battle_that_would_be_forgotten_is_not_begun(run: Run) -> None:
    refused = run("new", "ford", "--scenario", "dresda_skirmish", "--db", ":memory:")
    assert refused.exit_code == 2
    assert "name a file" in refused.stderr


def test_an_export_that_fails_leaves_nothing_behind(ford: Run, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    for target in (".", "no/such/folder.jsonl"):
        refused = ford("export", "ford", target)
        assert refused.exit_code == 1, refused.output
        assert len(refused.stderr.splitlines()) == 1
    assert sorted(tmp_path.iterdir()) == before


def test_an_export_goes_straight_to_what_is_no_plain_file(ford: Run, tmp_path: Path) -> None:
    device = tmp_path / "device"
    device.symlink_to("/dev/null")
    assert ford("export", "ford", str(device)).exit_code == 0
    assert device.is_symlink()


def test_words_that_are_no_unicode_are_refused_in_one_line(ford: Run) -> None:
    for words in (("note", "ford", "bad \udcff"), ("show", "x\udcff"), ("order", "ford", "orcs", "snaga: \udcff")):
        refused = ford(*words)
        assert refused.exit_code in (1, 2)
        assert len(refused.stderr.splitlines()) == 1


def test_words_in_utf8_are_read_under_any_locale(ford: Run) -> None:
    raw = "größe".encode().decode("ascii", "surrogateescape")
    assert "größe" in ford("note", "ford", raw).stdout


def test_output_never_breaks_off_at_a_character_that_cannot_be_written(ford: Run, tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    command = [sys.executable, "-m", "wardiary", "show", "ford", "--db", str(tmp_path / "war.db")]
    told = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=True)
    assert b"\\u2014" in told.stdout


def test_an_answer_to_the_referee_cannot_be_pasted_into_a_shell_unseen(run: Run, tmp_path: Path) -> None:
    """The choices stand behind the command, not in it: `… yes | no` would answer yes and run a program called no."""
    run("new", "ford", "--scenario", "dresda_skirmish")
    run("next", "ford")
    run("order", "ford", "orcs", 'grubnik: do "sing a song"')
    told = run("next", "ford").stdout
    assert "wardiary rule ford 't1/action/grubnik/sing a song' …  ('not possible', none, half, whole)" in told


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE event SET position = 99 WHERE seq = 5", "event 6: it stands at position 6, the event before it at 99"),
        ("DELETE FROM event", "event 1: an event is missing"),
        ("DELETE FROM event WHERE seq = 1", "event 1: an event is missing"),
    ],
)
def test_events_out_of_their_place_or_gone_are_named(ford: Run, tmp_path: Path, change: str, told: str) -> None:
    with closing(sqlite3.connect(tmp_path / "war.db", isolation_level=None)) as db:
        for (trigger,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute(change)
    for words in (("verify", "ford"), ("verify", "ford", "--adjudicate")):
        assert told in ford(*words).stderr


def test_a_folder_in_the_place_of_the_file_is_told_plainly(run: Run, tmp_path: Path) -> None:
    refused = run("new", "ford", "--scenario", "dresda_skirmish", "--db", str(tmp_path))
    assert refused.exit_code == 1
    assert "is it a file, and may it and its folder be written?" in refused.stderr


def test_a_file_whose_last_steps_lie_beside_it_unreadable_says_what_to_copy(
    ford: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a medium that cannot be written: SQLite can make no -shm file there, but needs one to read a -wal file."""

    class Unwritable:
        def execute(self, sql: str) -> None:
            raise sqlite3.OperationalError("unable to open database file")

        def close(self) -> None: ...

    Path("war.db-wal").write_bytes(b"steps")
    monkeypatch.setattr("events.store.opening._connect", lambda path, name, uri: Unwritable())
    refused = ford("show", "ford")
    assert refused.exit_code == 1
    assert "with its last steps in war.db-wal beside it: copy both" in refused.stderr


def test_a_scenario_alone_says_what_is_demonstrated(run: Run) -> None:
    assert run("demo", "--scenario", "rhand_duel", "--brief").stdout.startswith("The duel at the postern gate")
    assert "no rule set 'nope'" in run("demo", "nope").stderr


# ------------------------------------------------------------------------------------------------ explaining


def fight_the_worked_example(run: Run, *more: str) -> None:
    """The duel of the rules of Rhand, with its printed dice."""
    assert run("new", "gate", "--scenario", "rhand_duel", "--by-hand", "red", "--by-hand", "blue", *more).exit_code == 0
    run("next", "gate")
    run("order", "gate", "red", "tomas: fight guard/short/cut guard/short/cut")
    run("order", "gate", "blue", "guard: fight parry 1 shield 1")
    run("next", "gate")
    for roll, face in (("1/hit", 40), ("2/hit", 29), ("2/impact", 10), ("2/location", 72), ("2/knockout", 38)):
        assert run("roll", "gate", f"t1/blows/tomas>guard/{roll}", "--faces", str(face)).exit_code == 0, roll


def explained(run: Run, battle: str, said: str) -> str:
    """Explain the event whose caption says so."""
    row = next(line for line in run("log", battle).stdout.splitlines() if said in line)
    return run("explain", battle, row.split()[0]).stdout


def test_a_wound_is_explained_from_the_dice_to_the_cell_with_the_source_of_each_figure(run: Run) -> None:
    fight_the_worked_example(run)
    told = explained(run, "gate", "is struck on the right arm")
    assert "rolled 10 = 14" in told
    assert "+7  impact 14 times 1/2  SP-033  [seed]" in told
    assert "+6  table 5A, right arm, row 7, column LT  SP-036  [seed]" in told
    assert "+33  table 4A, row 3, column 2  SP-030  [seed]" in explained(run, "gate", "rolled 29")
    assert "SP-042  [seed]" in explained(run, "gate", "rolled 38")


def test_the_books_own_figures_are_explained_as_the_books(run: Run, tmp_path: Path) -> None:
    own = tmp_path / "own"
    run("tables", "rhand", "--copy", str(own))
    for name, old, new in (("knockout", "chance = 10", "chance = 11"), ("table_5a_cutting", ' "6",', ' "7",')):
        file = own / f"{name}.toml"
        meta, part, figures = file.read_text(encoding="utf-8").partition("\n[")
        file.write_text(meta + part + figures.replace(old, new), encoding="utf-8")
    fight_the_worked_example(run, "--tables", str(own))
    assert "right arm, row 7, column LT  SP-036  [book]" in explained(run, "gate", "is struck on the right arm")
    assert "+11  total 7 against Knockout Value 11  SP-042  [book]" in explained(run, "gate", "rolled 38")


def test_an_opening_is_explained_by_what_was_agreed_and_a_ruling_by_its_rule(run: Run) -> None:
    run("new", "ford", "--scenario", "dresda_skirmish", "--by-hand", "men")
    opening = run("explain", "ford", "1").stdout
    digest = run("tables", "dresda").stdout.split()[-1]
    assert f"rule tables {digest}" in opening
    assert "dice entered by men" in opening
    assert "referee present" in opening
    run("next", "ford")
    run("order", "ford", "orcs", 'grubnik: do "sing a song"')
    run("next", "ford")
    run("rule", "ford", "t1/action/grubnik/sing a song", "none")
    assert "DG-01: " in explained(run, "ford", "the referee rules: none")


def test_a_point_that_is_none_is_refused_with_the_phases_that_are_near(ford: Run) -> None:
    for _ in range(3):
        ford("next", "ford")
    near = "t1/declare, t1/aimed, t1/move, t1/missile, t1/melee, t1/morale"
    assert f"phases: {near}" in ford("show", "ford", "--at", "t1/blows").stderr
    assert "the line ends at event" in ford("show", "ford", "--at", "9" * 5000).stderr


def test_before_everything_is_on_its_place_there_is_no_picture(ford: Run) -> None:
    assert "still being deployed" in ford("show", "ford", "--at", "3").stdout


def test_a_note_without_words_and_a_roll_that_nobody_asked_for_are_refused(ford: Run) -> None:
    before = events(ford)
    assert ford("note", "ford", "  ").exit_code == 2
    asked = ford("roll", "ford", "t1/nothing")
    assert asked.exit_code == 1
    assert "t1/nothing" in asked.stderr
    assert events(ford) == before
