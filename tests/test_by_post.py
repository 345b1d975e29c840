"""What goes wrong when people play by post, tried on the command line with the rule sets that are installed."""

from __future__ import annotations

import textwrap
from itertools import permutations
from pathlib import Path
from unittest import mock

import pytest
from click.testing import CliRunner

from engine.cli.main import cli
from events.store.memory import MemoryLog
from tests.table import Table, open_battle
from tests.test_errata import Run
from tests.test_whole_turn import run

__all__ = ["run"]


def refused(*words: str, given: str | None = None) -> str:
    result = CliRunner().invoke(cli, list(words), input=given)
    assert result.exit_code == 1, (words, result.output, result.exception)
    assert result.stderr.startswith("wardiary: ")
    return result.stderr


# ------------------------------------------------------------------------------------------------- L49


def test_l49_dice_that_are_for_one_seat_alone_change_nothing_that_others_are_told(run: Run) -> None:
    """Nothing is rolled blind but on a what-if line: others get neither its faces nor a changed statistic."""
    run("new", "b", "--scenario", "dresda_skirmish")
    run("next", "b")
    run("next", "b")
    run("order", "b", "orcs", "snaga: shoot short_bow at wilmot")
    others = ("men", "spectator", "commentator")
    before = [told for viewer in others for told in dice_told(run, viewer)]
    run("branch", "b", "mine", "--as", "orcs", "--why", "shall I shoot?")
    run("next", "b", "--line", "mine")
    assert "rolled" in run("log", "b", "--line", "mine", "--as", "orcs")
    assert [told for viewer in others for told in dice_told(run, viewer)] == before


def dice_told(run: Run, viewer: str) -> list[str]:
    flags = ((), ("--luck",), ("--fairness",), ("--csv",), ("--json",))
    told = [run("dice", "b", *each, "--as", viewer) for each in flags]
    return [*told, run("lines", "b", "--as", viewer), run("log", "b", "--as", viewer), run("show", "b", "--as", viewer)]


# ------------------------------------------------------------------------------------------------- L60


def test_l60_a_record_that_went_through_a_mail_program_is_taken_whole_or_its_line_is_named(run: Run) -> None:
    run("new", "b", "--scenario", "dresda_skirmish")
    run("next", "b")
    run("export", "b", "b.jsonl")
    text = Path("b.jsonl").read_text(encoding="utf-8")
    events = len(text.splitlines()) - 1
    harmless = {"crlf": text.replace("\n", "\r\n"), "spaces": text.replace("\n", "  \n")}
    for name, mailed in harmless.items():
        Path(f"{name}.jsonl").write_bytes(mailed.encode())
        assert f"{events} events taken over" in run("import", f"{name}.jsonl", "--db", f"{name}.db")
    first, *rest = text.splitlines()
    wrapped = "\n".join(part for line in rest for part in textwrap.wrap(line, 72))
    harmful = {"quoted": "\n".join(f"> {line}" for line in text.splitlines()), "wrapped": f"{first}\n{wrapped}"}
    for (name, mailed), line in zip(harmful.items(), ("line 1", "line 2"), strict=True):
        Path(f"{name}.jsonl").write_text(mailed, encoding="utf-8")
        assert line in refused("import", f"{name}.jsonl", "--db", f"{name}.db")


def test_l60_orders_survive_quotation_and_wrapping_of_what_they_answer(run: Run) -> None:
    run("new", "b", "--scenario", "dresda_skirmish")
    asked = textwrap.fill("Orders for turn 1, please, and grubnik: run 1,1 is but an example of what one may write", 40)
    mail = "".join(f"> {line}\r\n" for line in asked.splitlines()) + "\r\n  grubnik: run 31,20   \r\n-- \r\nAnn\r\n"
    run("next", "b")
    assert "orcs orders: grubnik: run 31,20" in run("orders", "b", "-", "--seat", "orcs", "--from-post", given=mail)
    cut = "grubnik: run 31,\r\n20\r\n"
    told = refused("orders", "b", "-", "--seat", "orcs", "--from-post", given=cut)
    assert "line 1: '31,' is not a length" in told
    assert "line 2: " in told


# ------------------------------------------------------------------------------------------------- L61


@pytest.mark.parametrize(
    ("scenario", "seat", "order", "nearest"),
    [
        ("dresda_skirmish", "orcs", "grubnik: charge aldrik", "nearest: aldric"),
        ("dresda_skirmish", "orcs", "grubnik: run 400,20", "400"),
        ("rhand_duel", "red", "tomas: walk lfet", "nearest: left"),
        ("if_squads", "watch", "w_bows: attack g_axess aim", "nearest: g_axes"),
        ("if_squads", "watch", "w_bows: move 900,40", "field"),
    ],
)
def test_l61_what_is_not_on_the_map_is_refused_when_it_is_typed(
    run: Run, scenario: str, seat: str, order: str, nearest: str
) -> None:
    run("new", "b", "--scenario", scenario)
    if scenario == "dresda_skirmish":
        run("next", "b")
    assert nearest in refused("order", "b", seat, order)


# ------------------------------------------------------------------------------------------------- L64


def test_l64_whoever_hands_in_first_the_same_round_is_fought() -> None:
    from msgspec.structs import replace

    from engine.opening import read_scenario
    from engine.rules.rule_set import find_rules
    from engine.scenario_files import find_scenario

    scenario = replace(read_scenario(find_scenario("if_squads")), referee="absent")
    sheets = [
        ("watch", "w_bows: attack g_axes aim"),
        ("watch", "w_riders: move 55,37"),
        ("wolves", "g_boys: charge w_levy"),
        ("wolves", "g_axes: move 100,111"),
    ]
    ends = set()
    for arrival in list(permutations(sheets))[::5]:
        log = MemoryLog()
        with mock.patch("engine.dice.source.system.token_bytes", lambda count: bytes(count)):
            open_battle(log, "b", scenario)
            battle = Table(log, "b", find_rules(scenario.rule_set))
            for seat, order in arrival:
                battle.order(seat, order)
            battle.proceed()
        kinds = ("outcome", "roll")
        ends.add(tuple(record.body for record in log.records(battle.line) if record.kind in kinds))
    assert len(ends) == 1
