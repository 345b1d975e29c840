"""Orders for a whole turn, which goes on through several acts: who is missing, and whose word holds to its end."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from freezegun import freeze_time

from engine.cli.main import cli
from engine.scenario_files import find_scenario
from tests.test_errata import Run


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("WARDIARY_DB", str(tmp_path / "war.db"))
    monkeypatch.chdir(tmp_path)

    def call(*words: str, given: str | None = None) -> str:
        result = CliRunner().invoke(cli, list(words), input=given)
        assert result.exit_code == 0, (words, result.output, result.exception)
        return result.stdout

    return call


def opened(run: Run, name: str, *flags: str) -> None:
    """Open a battle in which who orders nothing is drilled, and call for orders."""
    text = (
        find_scenario(name).read_text(encoding="utf-8")
        + '\n[options]\nmissing_orders = "drill"\nlate_orders = "kept"\n'
    )
    Path("scenario.toml").write_text(text, encoding="utf-8")
    run("new", "b", "--scenario", "scenario.toml")
    run("call", "b", "--until", "+1d", "--zone", "UTC", *flags)


def drilled(run: Run) -> list[str]:
    with freeze_time("2126-01-01"):
        run("tick", "b")
    return [line for line in run("log", "b").splitlines() if "ordered nothing" in line or "drill" in line]


def test_a_seat_that_is_done_for_the_turn_is_drilled_in_no_act_of_it(run: Run) -> None:
    opened(run, "dresda_skirmish", "--whole-turn")
    for seat, sheet in (("orcs", "grubnik: walk 30,10"), ("men", "aldric: walk 34,45")):
        run("orders", "b", "-", "--seat", seat, "--final", given=sheet)
    assert drilled(run) == []


def test_a_seat_that_says_nothing_is_drilled_in_every_act_that_it_orders_nothing_for(run: Run) -> None:
    opened(run, "dresda_skirmish", "--whole-turn")
    run("orders", "b", "-", "--seat", "orcs", "--final", given="grubnik: walk 30,10")
    run("order", "b", "men", "aldric: walk 34,45")
    assert [("men" in line, "t1/missile" in line) for line in drilled(run)] == [(True, True)]


def test_being_done_for_one_act_does_not_hold_for_the_next_that_is_called_for(run: Run) -> None:
    opened(run, "dresda_skirmish")
    run("ready", "b", "men")
    assert drilled(run) == []
    run("next", "b")
    assert any("men" in line and "t1/move" in line for line in drilled(run))


@pytest.mark.parametrize("flags", [(), ("--whole-turn",)])
def test_what_units_do_without_orders_is_no_order_for_the_round(run: Run, flags: tuple[str, ...]) -> None:
    opened(run, "if_squads", *flags)
    assert "missing: watch, wolves" in run("due", "b")
    assert run("seat", "b").count("orders submitted: 0") == 2
    run("order", "b", "watch", "w_bows: attack g_axes aim")
    assert "missing: wolves" in run("due", "b")
    run("ready", "b", "wolves")
    assert "missing: nobody" in run("due", "b")


def test_the_last_who_is_done_is_told_that_the_battle_can_go_on(run: Run) -> None:
    opened(run, "dresda_skirmish", "--early")
    assert "all are ready" not in run("orders", "b", "-", "--seat", "orcs", "--final", given="")
    assert "all are ready: `wardiary tick b` goes on" in run("orders", "b", "-", "--seat", "men", "--final", given="")
    assert "t1/declare is resolved: all are ready" in run("tick", "b")


def test_a_call_for_the_whole_turn_is_told_as_one(run: Run) -> None:
    opened(run, "dresda_skirmish", "--whole-turn")
    words = "orders for t1/declare and the rest of its turn are due"
    assert words in run("due", "b")
    assert words in " ".join(run("post", "b", "--turn", "1", "--for", "mail", "--preview").split())


def test_a_post_tells_no_deadline_while_the_calendar_stands_still(run: Run) -> None:
    opened(run, "dresda_skirmish")
    run("freeze", "b", "--why", "a dispute")
    told = run("post", "b", "--turn", "1", "--for", "discord", "--preview")
    assert "the calendar stands still: a dispute" in told
    assert " due " not in told
    assert "<t:" not in told


def test_while_the_calendar_stands_still_no_time_is_told_and_nothing_is_late(run: Run) -> None:
    opened(run, "dresda_skirmish")
    run("freeze", "b", "--why", "a dispute")
    told = run("due", "b")
    assert told.startswith("b: the calendar stands still: a dispute, orders for t1/declare are still taken\n")
    assert "missing: orcs, men" in told
    assert "<t:" not in told
    with freeze_time("2126-01-01"):
        assert "ago" not in run("due", "b")
        assert "not used" not in run("orders", "b", "-", "--seat", "men", given="wilmot: aim light_crossbow at snaga")
        run("unfreeze", "b", "--until", "+1d")
    with freeze_time("2126-01-03"):
        assert "not used (late)" in run("orders", "b", "-", "--seat", "orcs", given="snaga: aim short_bow at wilmot")
