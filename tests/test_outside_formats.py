"""Logs of outside dice: every format is read as its page prints it, with everything that it tells and nothing more."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.main import cli
from projections.dice.ledger import Entry
from replays.outside import FORMATS, OutsideLog, read_outside
from replays.outside.source import OutsideUnreadable

SAMPLES = Path(__file__).parent / "outside"
VASSAL = "** $name$ = $result$ *** <$playerName$>"


def sample(
    name: str, format_: str | None = None, *, zone: str | None = "Europe/Berlin", template: str = ""
) -> OutsideLog:
    return read_outside(SAMPLES / name, format_ or name.rpartition(".")[0], zone, SAMPLES / "aliases.toml", template)


def short(entry: Entry) -> tuple[str, str, str, tuple[int, ...], int | None]:
    return entry.seat, entry.purpose, entry.notation, entry.faces, entry.total


def codes(log: OutsideLog) -> list[tuple[int, str]]:
    return [(finding.line, finding.code) for finding in log.findings]


def test_beyond20_shows_dice_in_groups_or_one_by_one() -> None:
    log = sample("beyond20.js")
    assert [short(entry) for entry in log.entries] == [
        ("Ann", "WILL: CHECK", "2d20k1+2", (4, 18), 20),
        ("Bob", "Ann rolls 1d100: 01 (critical)", "1d6+1d4", (3, 4), 7),
        ("Ann", "MACE: DAMAGE", "3d8", (5, 8, 2), 16),
    ]
    assert log.entries[0].kept == (False, True)
    assert log.entries[0].at == 1_935_421_320_000_000  # 2031-05-01 17:02 UTC
    assert log.findings[0].message == "3d8 comes to 15, but 16 is stated"
    assert log.findings[0].line == 20


def test_roll20_messages_tell_rolls_inline_rolls_and_groups() -> None:
    log = sample("roll20.json")
    assert [short(entry) for entry in log.entries] == [
        ("Ann", "hit", "2d20k1+4", (3, 15), 19),
        ("Bob", "", "1d100", (37,), 37),
        ("Ann", "", "2d6+1d4+5", (2, 3, 4), 14),
    ]
    assert log.entries[0].kept == (False, True)
    assert log.entries[1].key == "-R1"
    assert "bb22" in log.entries[1].raw
    assert codes(log) == []


def test_gamers_plane_lets_digits_run_together() -> None:
    log = sample("gamers-plane.txt")
    assert [short(entry) for entry in log.entries[:6]] == [
        ("Ann", "Dex save please! e6 r3", "1d20+3", (18,), 21),
        ("Ann", "Strength + Melee", "3d6", (1, 1, 6), 8),
        ("Ann", "Strength + Melee", "3d6", (3, 6, 3), 12),
        ("Bob", "Artifact", "2d12", (5, 12), 17),
        ("Bob", "Torch", "2d20", (1, 11), 12),
        ("Bob", "Water", "3d20", (), 26),
    ]
    assert short(log.entries[7]) == ("Bob", "Advantage", "2d20k1+2", (4, 17), 19)
    assert short(log.entries[8]) == ("Bob", "Shown with swords", "3d6", (1, 1, 6), 8)
    assert [entry.key for entry in log.entries[:4]] == ["41#1", "41#2", "41#3", "42#1"]
    assert codes(log) == [(18, "sum/none")]


def test_the_tangled_web_of_old_tells_totals_from_left_to_right() -> None:
    log = sample("ttw-old.txt")
    assert [(*short(entry)[2:], entry.certainty) for entry in log.entries] == [
        ("1d20+5", (12,), 17, "dice"),
        ("3d4", (), 10, "total"),
        ("1d6+2*3", (4,), 18, "dice"),
        ("1d20", (3,), 3, "dice"),
        ("1d4", (), 9, "total"),
    ]
    assert {entry.dialect for entry in log.entries} == {"left-to-right"}
    assert log.entries[2].purpose == "Fury"
    assert codes(log) == [(4, "words/roll"), (5, "total/impossible"), (6, "words/roll")]


def test_the_tangled_web_of_today_tells_every_die() -> None:
    log = sample("ttw-new.txt")
    assert [short(entry)[1:] for entry in log.entries] == [
        ("", "1d20+6", (3,), 9),
        ("", "1d20+3d6+1d4+5", (1, 2, 2, 5, 3), 18),
        ("", "1d20", (13,), 13),
        ("", "6d6", (6, 5, 3, 1, 6, 6), 27),
        ("", "1d20+6", (12,), 18),
        ("Attack vs Goblin #1", "1d20+6", (12,), 18),
        ("Lie (1d20) [20] = 20 then", "1d20+6", (2,), 8),
    ]
    assert codes(log) == [(7, "words/roll")]


def test_phpbb_names_poster_and_server_roll() -> None:
    log = sample("phpbb.txt")
    assert [short(entry) for entry in log.entries] == [
        ("Ann", "Punch", "1d20+8", (16,), 24),
        ("Ann", "Kick", "2d6", (3, 4), 7),
        ("Ann", "Lie: 1d20: [20] = 20", "1d20+8", (2,), 10),
        ("Bob", "", "3d6+1", (1, 1, 6), 10),
    ]
    assert log.entries[1].key == "roll 151"
    assert codes(log) == [(5, "roll/unreadable"), (6, "words/roll"), (8, "sum/wrong")]


def test_smf_shows_a_roll_in_two_lines() -> None:
    log = sample("smf.txt")
    assert [short(entry)[1:] for entry in log.entries] == [
        ("", "2d6-1", (2, 3), 4),
        ("I pick a pocket.", "1d10", (6,), 6),
    ]
    assert log.entries[0].at is not None


def test_myth_weavers_drops_and_keeps_in_its_own_letters() -> None:
    log = sample("myth-weavers.txt")
    assert [(*short(entry)[1:], entry.kept) for entry in log.entries] == [
        ("", "1d20+1", (19,), 20, (True,)),
        ("Save", "4d6k3", (1, 6, 3, 4), 13, (False, True, True, True)),
        ("Curse", "2d20kl1", (7, 18), 7, (True, False)),
    ]
    assert codes(log) == []


def test_avrae_marks_dropped_dice_and_those_thrown_again() -> None:
    log = sample("avrae.txt")
    assert [short(entry)[1:] for entry in log.entries] == [
        ("", "1d20+5", (12,), 17),
        ("", "2d6k1+3", (6, 2), 9),
        ("dex save please", "1d20-1", (20,), 19),
        ("fire", "2d6e6", (6, 3, 2), 11),
        ("wrong", "2d6", (3, 4), 8),
    ]
    assert log.entries[1].kept == (True, False)
    assert codes(log) == [(7, "sum/wrong")]


def test_vassal_is_read_by_the_template_of_the_module() -> None:
    log = sample("vassal.txt", template=VASSAL)
    assert [short(entry) for entry in log.entries] == [
        ("Ann", "2d6", "2d6", (3, 5), 8),
        ("Bob", "1d100", "1d100", (37,), 37),
        ("Ann", "3d6", "3d6", (), 12),
    ]
    assert (2, "words/roll") in codes(log)


def test_vassal_templates_may_name_fields_or_end_in_dice(tmp_path: Path) -> None:
    log = tmp_path / "chat.txt"
    log.write_text("Attack! Ann threw 2 dice of 6 (4, 5) for 10\n", encoding="utf-8")
    fields = "$name$! $playerName$ threw $nDice$ dice of $nSides$ ($result1$, $result2$) for $numericTotal$"
    entry = read_outside(log, "vassal", template=fields).entries[0]
    assert short(entry) == ("Ann", "Attack", "2d6", (4, 5), 10)
    assert entry.remarks == ("2d6 comes to 9, but 10 is stated",)
    fixed = "$name$! $playerName$ threw 2 dice of 6 ($result$) for $numericTotal$ :: 2d6+1"
    assert read_outside(log, "vassal", template=fixed).entries[0].notation == "2d6+1"


@pytest.mark.parametrize("template", ["", "no field", "$result$ $result$", "$nonsense$ $result$", "$result$ :: dice"])
def test_a_template_that_cannot_work_is_refused(template: str) -> None:
    with pytest.raises(OutsideUnreadable, match=r"template"):
        sample("vassal.txt", template=template)


def test_marti_tells_dice_in_order_and_the_user_tells_their_sides() -> None:
    log = sample("marti.html", template="d12")
    assert [short(entry) for entry in log.entries] == [("", "", "2d12", (12, 2), 14)]
    assert log.entries[0].key.startswith("sign ")
    assert "date=2031-05" in log.entries[0].raw
    with pytest.raises(OutsideUnreadable, match="--template d6"):
        sample("marti.html")


def test_marti_mails_that_tell_the_same_dice_are_two_throws() -> None:
    log = sample("marti.mbox", zone=None, template="d6")
    assert [short(entry)[1:4] for entry in log.entries] == [
        ("Germans roll dice for Belorussia, round 2 your dice are: 6,6,6", "3d6", (3, 6, 1)),
        ("Orléans", "3d6", (3, 6, 1)),
    ]
    assert len({entry.key for entry in log.entries}) == 2
    assert [entry.at for entry in log.entries] == [1_935_421_320_000_000, 1_935_421_500_000_000]
    assert codes(log) == []


def test_the_same_marti_mail_twice_is_one_throw(tmp_path: Path) -> None:
    mail = (SAMPLES / "marti.mbox").read_text(encoding="utf-8").split("\n\nFrom ")[0]
    (tmp_path / "twice.mbox").write_text(f"{mail}\n\n{mail}\n", encoding="utf-8")
    log = read_outside(tmp_path / "twice.mbox", "marti", template="d6")
    assert len(log.entries) == 1
    assert [finding.code for finding in log.findings] == ["post/again"]


def test_random_org_serials_show_that_rolls_are_missing() -> None:
    log = sample("random-org.json")
    assert [short(entry) for entry in log.entries] == [
        ("Ann", "", "1d100", (58,), 58),
        ("Ann", "", "3d6", (6, 1, 4), 11),
    ]
    assert [finding.message for finding in log.findings] == ["serial 13 to 14 is missing: not every roll is shown"]


def test_csv_has_targets_and_rolls_that_were_set_aside() -> None:
    log = sample("csv.csv")
    first, second, third, fourth = log.entries
    assert short(first) == ("Ann", r"C:\ and *Ann*, [1d6] = 6", "1d100", (45,), 45)
    assert (first.test, first.target, first.success, first.chance) == ("at_most", 45, True, (9, 20))
    assert second.kept == (True, True, True, False)
    assert (third.certainty, third.faces, third.at) == ("total", (), 1_935_421_440_000_000)
    assert (fourth.certainty, fourth.faces, fourth.standing) == ("dice", (5,), "surplus")


def test_every_roll_keeps_its_raw_text_its_place_and_the_reader() -> None:
    for name, template in [("gamers-plane.txt", ""), ("beyond20.js", ""), ("csv.csv", ""), ("vassal.txt", VASSAL)]:
        text = (SAMPLES / name).read_text(encoding="utf-8")
        log = sample(name, template=template)
        for entry in log.entries:
            assert entry.source == "imported"
            assert all(part in text for part in entry.raw.split("\n"))
            assert f"{name}, line " in entry.place
            assert f"({log.format} reader {log.version})" in entry.place


def test_every_format_says_what_it_can_prove_and_shows_an_example() -> None:
    assert len(FORMATS) == 13
    for reader in FORMATS.values():
        assert reader.trust
        assert reader.example


@pytest.mark.parametrize("format_", FORMATS)
def test_the_examples_of_the_guide_are_read_as_it_says(tmp_path: Path, format_: str) -> None:
    guide = (Path(__file__).parent.parent / "docs" / "outside-dice.md").read_text(encoding="utf-8")
    section = guide.partition(f"\n### {format_}\n")[2].partition("\n### ")[0]
    example = section.partition("\n```")[2].partition("\n")[2].partition("\n```")[0]
    (tmp_path / "log").write_text(example, encoding="utf-8")
    template = {"vassal": VASSAL, "marti": "d6"}.get(format_)
    log = read_outside(tmp_path / "log", format_, "UTC", None, template)
    assert log.entries
    assert {finding.code for finding in log.findings} <= {"words/roll"}


def test_the_command_line_audits_a_log_and_refuses_in_one_line() -> None:
    runner = CliRunner()
    asked = ["dice", "--import", str(SAMPLES / "phpbb.txt"), "--from", "phpbb"]
    refused = runner.invoke(cli, asked)
    assert refused.exit_code == 1
    assert len(refused.stderr.splitlines()) == 1
    assert "line 1" in refused.stderr
    done = runner.invoke(cli, [*asked, "--zone", "Europe/Berlin"])
    assert done.exit_code == 0
    assert "Ser Odo: Punch [1d20+8] 16 = 24" in done.stdout
    assert "3d6+1 comes to 9, but 10 is stated" in done.stdout
