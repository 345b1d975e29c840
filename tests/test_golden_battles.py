"""Whole battles of record format 1 are still imported, opened, verified, replayed, adjudicated and continued.

`tests/golden/battles/README.md` describes each battle and how it was made. The files are never written again.
"""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

# These tests use the command line only. If its words or the names of state fields change, adapt this section.
from engine.cli.main import cli

ADJUDICATE = "--adjudicate"
"""The option of `verify` that runs the rules again over the recorded orders and dice."""
VERBS: dict[str, str] = {"stir": "seed"}
"""Verbs that the files use, and their names now."""
RENAMED: dict[str, str] = {}
"""Names of state fields now, and their names in the files."""
ADDED: frozenset[str] = frozenset(
    {"lit", "withdrawing"}
    | {"rode", "rode_before", "short_move", "short_before", "loose"}
    | {"kick_as_weapon", "covered_by", "spells_cast", "died", "max_targets", "max_range", "max_casts"}
    | {"coming_seeds", "seeds_awaited", "salt"}
)
"""State fields added since."""
ADOPTS: dict[str, str] = {
    **dict.fromkeys(("dresda_by_post", "dresda_rulings", "dresda_whole"), "1996.2"),
    **dict.fromkeys(("if_by_post", "if_squads_whole"), "2"),
}
"""Battles of an edition of their rules that is not installed any more, and the edition that they adopt to go on."""
AMID: frozenset[str] = frozenset({"dresda_rulings"})
"""Those of them that stand in the middle of an act, which only their own edition can finish."""

FOLDER = Path(__file__).parent / "golden" / "battles"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
DATABASES = sorted(path.stem for path in FOLDER.glob("*.db"))
COPIES = sorted(path.name for path in FOLDER.glob("*.as_*.jsonl"))


class Desk:
    """A database for one golden battle, the command line to use it, and what was true when the battle was made."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.db = folder / "war.db"
        self.adopted: set[tuple[str, ...]] = set()
        self.then: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))

    def run(self, *words: str, code: int = 0) -> str:
        result = CliRunner().invoke(cli, [*words, "--db", str(self.db)])
        assert result.exit_code == code, (words, result.output, result.exception)
        return result.stdout if code == 0 else result.output

    def data(self, verb: str, *words: str) -> Any:
        return json.loads(self.run(verb, self.name, *words, "--json"))

    def log(self, *words: str) -> list[dict[str, Any]]:
        return [json.loads(each) for each in self.run("log", self.name, "--json", *words).splitlines()]

    def adopt(self, *which_line: str) -> None:
        """Take the edition that is installed, if the battle's own is not."""
        over = self.then["turns"]["head"]["state"]["table"]["ended"]
        if self.name in ADOPTS and which_line not in self.adopted and not over:
            self.adopted.add(which_line)
            why = ["--why", "the rules were revised"]
            self.run("edition", self.name, "--edition", ADOPTS[self.name], *why, *which_line)

    def follow(self, command: str, code: int = 0) -> str:
        """Run a command from the files, which leave out the battle's name."""
        verb, *words = shlex.split(command)
        return self.run(VERBS.get(verb, verb), self.name, *words, code=code)


def verified(desk: Desk, *words: str) -> dict[str, Any]:
    """Return what `verify` finds, as far as the files tell of it."""
    found = desk.data("verify", *words)
    return {key: found[key] for key in desk.then["verified"]}


def as_then(value: Any) -> Any:
    """Return a state with the field names of the files."""
    if isinstance(value, dict):
        return {RENAMED.get(key, key): as_then(each) for key, each in value.items() if key not in ADDED}
    return [as_then(each) for each in value] if isinstance(value, list) else value


def state_hash(state: Any) -> str:
    text = json.dumps(as_then(state), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()


def rolls(events: Sequence[dict[str, Any]]) -> list[list[Any]]:
    bodies = [each["body"] for each in events]
    return [[body["key"], body["faces"]] for body in bodies if body["type"] == "roll.rolled"]


def orders(events: Sequence[dict[str, Any]]) -> list[list[str]]:
    bodies = [each["body"] for each in events]
    return [[body["seat"], body["text"]] for body in bodies if body["type"] in ("order.given", "order.revealed")]


@pytest.fixture
def imported(request: pytest.FixtureRequest, tmp_path: Path) -> Desk:
    desk = Desk(request.param, tmp_path)
    desk.run("import", str(FOLDER / f"{request.param}.jsonl"))
    return desk


@pytest.fixture
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Desk:
    desk = Desk(request.param, tmp_path)
    shutil.copy(FOLDER / f"{request.param}.db", desk.db)
    return desk


every_export = pytest.mark.parametrize("imported", NAMES, indirect=True)
every_database = pytest.mark.parametrize("opened", DATABASES, indirect=True)


def test_no_golden_file_has_changed() -> None:
    lines = [line.split() for line in (FOLDER / "SHA256SUMS").read_text(encoding="utf-8").splitlines()]
    sums = {name: digest for digest, name in lines}
    found = {path.name: sha256(path.read_bytes()).hexdigest() for path in FOLDER.glob("*.*") if path.suffix != ".md"}
    assert found == sums
    assert {Desk(each, FOLDER).then["rule_set"] for each in DATABASES} == {"dresda", "ice_and_fire", "rhand"}


@every_export
def test_an_export_is_imported_verified_and_adjudicated_with_the_same_result(imported: Desk) -> None:
    if imported.name in ADOPTS:
        assert "edition 1" in imported.run("verify", imported.name, ADJUDICATE, code=1)
        assert verified(imported) == {**imported.then["verified"], "judged": []}
    else:
        assert verified(imported, ADJUDICATE) == imported.then["verified"]


@every_export
def test_each_line_ends_at_the_same_event_hash_and_state(imported: Desk) -> None:
    for name, then in imported.then["lines"].items():
        last = imported.log("--line", name)[-1]
        assert (last["seq"], last["hash"], last["played"]) == (then["seq"], then["hash"], then["played"]), name
        if then["state_sha256"] is not None:
            assert state_hash(imported.data("show", "--line", name)["state"]) == then["state_sha256"], name


@every_export
def test_each_turn_shows_the_same_places_and_statuses(imported: Desk) -> None:
    for point, then in imported.then["turns"].items():
        shown = imported.data("show", *([] if point == "head" else ["--at", point]))
        assert (shown["line"], shown["seq"], shown["played"]) == (then["line"], then["seq"], then["played"]), point
        assert as_then(shown["state"]) == then["state"], point


@every_export
def test_the_ledger_holds_the_same_rolls_with_the_same_faces(imported: Desk) -> None:
    found = imported.data("dice")["rolls"]
    ledger = [[each[key] for key in ("line", "seq", "key", "faces", "source", "standing")] for each in found]
    assert ledger == imported.then["dice"]["ledger"]
    assert len(ledger) == imported.then["dice"]["rolls"] > 0


@every_export
def test_an_imported_battle_goes_on(imported: Desk) -> None:
    before = imported.then["verified"]
    if imported.name in AMID:
        for command in imported.then["goes_on"]:
            assert "install the edition as" in imported.follow(command, code=1)
        return
    state = imported.then["turns"]["head"]["state"]["table"]
    without = [word for seat in state["seats"] for word in ("--without", seat["id"])]
    lines = {line for each in imported.then["goes_on"] if (line := each.partition("--line ")[2])}
    for line in [] if state["ended"] else ["", *sorted(lines)]:
        at = ["--line", line] if line else []
        imported.adopt(*at)
        imported.run("recommit", imported.name, "--why", "it came without its vault", *without, *at)
    for command in imported.then["goes_on"]:
        if not command.startswith("note"):
            imported.adopt(*(shlex.split(command)[1:] if command.startswith("next") else []))
        imported.follow(command)
    after = imported.data("verify", *([] if imported.name in ADOPTS else [ADJUDICATE]))
    assert after["ok"]
    assert after["events"] > before["events"]
    assert after["heads"][imported.then["in_force"]] != before["heads"][imported.then["in_force"]]


@every_export
def test_what_cannot_go_on_is_refused_and_records_nothing(imported: Desk) -> None:
    over = imported.then["turns"]["head"]["state"]["table"]["ended"]
    for command in ["next"] if over else imported.then["refused_after_import"]:
        imported.follow(command, code=1)
    assert verified(imported) == {**imported.then["verified"], "judged": []}


@every_database
def test_a_database_opens_as_it_is(opened: Desk) -> None:
    if opened.name in ADOPTS:
        assert verified(opened) == {**opened.then["verified"], "judged": []}
    else:
        assert verified(opened, ADJUDICATE) == opened.then["verified"]
    assert as_then(opened.data("show")["state"]) == opened.then["turns"]["head"]["state"]


@every_database
def test_a_database_goes_on_with_the_orders_and_dice_of_its_vault(opened: Desk) -> None:
    then, known = opened.then["database_goes_on"], len(opened.log())
    opened.adopt()
    for command in then["commands"]:
        opened.follow(command)
    new = opened.log()[known:]
    if opened.name in ADOPTS:  # by other rules the same dice come out otherwise
        assert orders(new) == then["orders"]
        assert opened.data("verify")["ok"]
        return
    assert (rolls(new), orders(new)) == (then["rolls"], then["orders"])
    assert as_then(opened.data("show")["state"]) == then["state"]
    after = opened.data("verify", ADJUDICATE)
    assert (after["ok"], after["proved"], after["unrevealed"]) == (True, then["proved"], 0)


@pytest.mark.parametrize("copy", COPIES)
def test_a_copy_for_a_seat_verifies_with_an_order_withheld(copy: str) -> None:
    assert "order.withheld" in (FOLDER / copy).read_text(encoding="utf-8")
    result = CliRunner().invoke(cli, ["verify", str(FOLDER / copy), "--json"])
    assert (result.exit_code, json.loads(result.stdout)["ok"]) == (0, True)


@pytest.mark.parametrize("name", NAMES)
def test_one_altered_byte_is_found(name: str, tmp_path: Path) -> None:
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    at = text.rindex('"faces\\":[') if '"faces\\":[' in text else text.rindex('"faces')
    digit = next(number for number in range(at, len(text)) if text[number].isdecimal())
    altered = tmp_path / "altered.jsonl"
    altered.write_text(f"{text[:digit]}{9 - int(text[digit])}{text[digit + 1 :]}", encoding="utf-8")
    assert CliRunner().invoke(cli, ["verify", str(altered)]).exit_code == 1
    assert CliRunner().invoke(cli, ["import", str(altered), "--db", str(tmp_path / "war.db")]).exit_code == 1
