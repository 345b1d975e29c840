"""The four rooms: imports go one way, never in a circle; only the engine acts; names are ours; files stay readable."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import distributions
from pathlib import Path

import pytest

from events.catalogue import split_tag
from projections.fold import find_fold
from tests.rule_sets import NAMES
from wardiary.rooms import ROOMS

ROOT = Path(__file__).resolve().parent.parent
ACTING = {"time", "random", "secrets", "uuid", "socket", "threading", "subprocess"}
ALL = ("wardiary", *ROOMS, "bench", "examples", "tests")
MAX_LINES = 500
MAX_PARAMETERS = 7
TOO_LONG = {"events.dresda", "events.store.sqlite"}
"""Files still to be split; no other may join them."""
TOO_MANY = {
    "events.store.chain.link", "events.store.log.fork", "events.store.memory.fork", "events.store.sealing.read_row",
    "events.store.sqlite.fork", "events.store.sqlite._write_step", "projections.fold.__init__",

    "engine.rules.dresda.calls.percent_call",
    "engine.rules.ice_and_fire.command.to_unit", "engine.rules.ice_and_fire.condition.one_test",
    "engine.rules.ice_and_fire.heroes_hit.strike_heroes", "engine.rules.ice_and_fire.melee.attack",
    "engine.rules.ice_and_fire.melee._ride_over", "engine.rules.ice_and_fire.moving.march",
    "engine.rules.ice_and_fire.profiles._profile", "engine.rules.ice_and_fire.scaling.scale",
    "engine.rules.rhand.calls.to_hit", "engine.rules.rhand.calls.below", "engine.rules.rhand.rulings.effects",
}  # fmt: skip
"""Functions still to be given a Struct; no other may join them."""


def sources(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found.add(str(node.module).split(".")[0])
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_rooms_before_it(room: str) -> None:
    allowed = set(ROOMS[: ROOMS.index(room) + 1])
    assert sources(room)
    for path in sources(room):
        assert imported(path) & {"wardiary", *ROOMS} <= allowed, path


@pytest.mark.parametrize("room", ROOMS[:3])
def test_only_the_engine_looks_at_a_clock_or_draws_numbers(room: str) -> None:
    for path in sources(room):
        assert not imported(path) & ACTING, path


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The text constants of a file with their lines."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def stored_names() -> set[str]:
    """The names by which all event types of the rooms are stored."""
    folds = [find_fold(name) for name in NAMES]
    return {split_tag(tag)[0] for fold in folds for tag in fold.catalogue.versions()}


@pytest.mark.parametrize("room", ROOMS[1:])
def test_the_stored_names_of_events_are_the_business_of_events_alone(room: str) -> None:
    """What reads a name in a stored body is blind to other shapes of the event: readers get typed events."""
    stored = stored_names()
    assert {"table.act_opened", "dresda.wounded"} <= stored
    found = [f"{path}:{line} {text}" for path in sources(room) for line, text in texts(path) if text in stored]
    assert found == []


# ------------------------------------------------------------------------------------------------------------ circles


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports_on_loading(body: list[ast.stmt], modules: set[str]) -> Iterator[str]:
    """The modules that stand in the imports of a module itself, those for type checkers included."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from (name if name in modules else str(node.module) for name in names)
        elif isinstance(node, ast.If):
            yield from imports_on_loading([*node.body, *node.orelse], modules)
        elif isinstance(node, ast.Try):
            yield from imports_on_loading([*node.body, *node.orelse, *node.finalbody], modules)


def circle(files: dict[str, ast.Module]) -> list[str]:
    """The modules of one import circle, or nothing."""
    graph = {name: set(imports_on_loading(each.body, set(files))) & set(files) for name, each in files.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle({module_of(path): tree(path) for room in ("wardiary", *ROOMS) for path in sources(room)}) == []


def test_a_circle_is_found_even_where_it_is_for_type_checkers() -> None:
    one = ast.parse("if TYPE_CHECKING:\n    from b import two\n")
    assert set(circle({"a": one, "b.two": ast.parse("from a import x\n")})) == {"a", "b.two"}
    assert circle({"a": one, "b.two": ast.parse("def f():\n    from a import x\n")}) == []


# --------------------------------------------------------------------------------------------------------------- size


@pytest.mark.parametrize("room", ALL)
def test_no_file_is_too_long(room: str) -> None:
    lines = {module_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in sources(room)}
    assert {name: count for name, count in lines.items() if count > MAX_LINES and name not in TOO_LONG} == {}


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many parameters a caller can give: without `self` and `cls`."""
    taken = function.args
    names = [each.arg for each in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs)]
    return len(names) - (names[:1] in (["self"], ["cls"])) + (taken.vararg is not None) + (taken.kwarg is not None)


@pytest.mark.parametrize("room", ["wardiary", *ROOMS, "bench"])
def test_no_function_outside_the_command_line_takes_too_many_parameters(room: str) -> None:
    found = {
        f"{module_of(path)}.{node.name}": parameters(node)
        for path in sources(room)
        if not module_of(path).startswith("engine.cli")
        for node in ast.walk(tree(path))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    assert {name: count for name, count in found.items() if count > MAX_PARAMETERS and name not in TOO_MANY} == {}


# -------------------------------------------------------------------------------------------------------------- names


def test_no_other_installed_distribution_owns_our_names() -> None:
    for each in distributions():
        if each.metadata["Name"] == "wardiary":
            continue
        tops = {Path(str(file)).parts[0] for file in each.files or []}
        assert not tops & {"wardiary", *ROOMS}, each.metadata["Name"]
