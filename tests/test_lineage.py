"""Dice algorithm 2: where a line stands in the tree decides its dice; names, times and other lines do not."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from events.store.record import Line
from replays.audit.lineage import chain_root, content_of_orders, lineage_of, message_2, next_lineage, root_commitment

ROOT = bytes(range(32))


@dataclass
class Tree:
    lines: list[Line] = field(default_factory=lambda: [Line(1, "ford", "main", None, 0, True, "", 0, "")])

    def fork(self, parent: str, after: int, *, played: bool = True, name: str = "", at: int = 0) -> str:
        name = name or f"line {len(self.lines)}"
        self.lines.append(Line(len(self.lines) + 1, "ford", name, parent, after, played, "x", at, "why"))
        return lineage_of(self.lines, name)


def test_a_lineage_names_fork_kind_and_ordinal() -> None:
    tree = Tree()
    assert tree.fork("main", 42, name="a") == "main/42c1"
    assert tree.fork("main", 42, name="b") == "main/42c2"
    assert tree.fork("main", 42, played=False, name="c") == "main/42w1"
    assert tree.fork("a", 57, played=False, name="d") == "main/42c1/57w1"


def test_a_fork_within_the_part_that_its_parent_shares_belongs_to_the_line_that_holds_the_event() -> None:
    tree = Tree()
    tree.fork("main", 42, name="a")
    assert tree.fork("a", 30, name="b") == "main/30c1"
    assert tree.fork("main", 30, name="c") == "main/30c2"


@given(st.lists(st.tuples(st.integers(1, 9), st.text("abc", max_size=3), st.integers(0, 9)), max_size=6))
def test_what_ifs_names_and_times_never_move_the_dice_of_a_correction(opened: list[tuple[int, str, int]]) -> None:
    tree = Tree()
    for number, (after, name, at) in enumerate(opened):
        tree.fork("main", after, played=False, name=f"{name}{number}", at=at)
    expected = "main/5c1"
    assert next_lineage(tree.lines, "main", 5, played=True) == expected
    assert tree.fork("main", 5, name="whatever", at=7) == expected


def test_each_line_and_each_first_turn_has_a_chain_of_its_own() -> None:
    roots = {chain_root(ROOT, lineage, turn) for lineage in ("main", "main/4c1", "main/4w1") for turn in (1, 2)}
    assert len(roots) == 6
    assert ROOT not in roots
    assert root_commitment(ROOT) == root_commitment(ROOT) != root_commitment(ROOT[::-1])


@given(st.lists(st.tuples(st.text(), st.text(), st.text()), max_size=4, unique=True), st.randoms())
def test_the_content_of_an_act_tells_orders_apart_but_not_their_arrival(
    orders: list[tuple[str, str, str]], shuffle: Random
) -> None:
    mixed = list(orders)
    shuffle.shuffle(mixed)
    assert content_of_orders("t1/move", orders) == content_of_orders("t1/move", mixed)
    assert content_of_orders("t1/move", [*orders, ("red", "hit", "salt")]) != content_of_orders("t1/move", orders)


def test_no_two_different_inputs_give_one_message() -> None:
    made = {
        message_2("ford", "main", "c", "k", {}),
        message_2("ford", "main", "c", "k", {"red": "x"}),
        message_2("ford", "main", "c", "k", {"red": "", "x": ""}),
        message_2("ford", "main", "c", "k", {}, "redx"),
        message_2("ford", "main", "ck", "", {}),
        message_2("fordmain", "", "c", "k", {}),
    }
    assert len(made) == 6
