"""Record format 2: the worked example of the page, and what a salt, a leaf and a digest promise."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from events.store.leaves import (
    Salter,
    are_salts,
    battle_digest,
    battle_start,
    body_leaf,
    end_leaf,
    header_leaf,
    line_start,
    link,
)

ROOT = bytes(range(32))
LINE = (
    '{"battle":"ford","name":"main","parent":null,"after":0,"played":true,"actor":"referee",'
    '"at":1790000000000000,"why":"the battle as it was played"}'
)
EVENTS = (
    (
        b'{"act":1,"actor":"referee","at":1790000000000000,"type":"table.noted"}',
        b'{"type":"table.noted","text":"hello"}',
        "table",
    ),
    (
        b'{"act":2,"actor":"red","at":1790000001000000,"type":"order.given"}',
        b'{"type":"order.given","seat":"red","piece":"grubnik","slot":"move","text":"grubnik: charge aldric"}',
        "order",
    ),
)


def chained() -> list[str]:
    """Return start and hashes of the example."""
    hashes = [line_start(battle_start("ford"), LINE)]
    salter = Salter(ROOT, LINE)
    for seq, (header, body, kind) in enumerate(EVENTS, 1):
        salts = salter.salts(seq, header, body)
        leaves = header_leaf(salts[:32], header), body_leaf(salts[32:], body)
        hashes.append(link(hashes[-1], *leaves, seq, seq, kind))
    return hashes


def test_the_worked_example_comes_out_to_the_letter() -> None:
    start, first, second = chained()
    assert start == "0fecc329897589b9fe2b5e61f8dbf65f1cecd8590bad99ef5c11764d9cbe0fb1"
    assert first == "d0d6909c686410c4eafd881ffc89a5e53b240b638fdf1c8febf79bd8dc6276a1"
    assert second == "702120a052a1707a8524ace559ee543730fe0ddeabb8bfc73455ae63db5bf3c1"
    assert battle_digest([end_leaf(2, second)]) == "78f618702526c39a63684b14870dd0640342a8b3a604746dd3a8c417f78572d1"


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_a_salt_is_never_used_for_two_contents(one: bytes, other: bytes) -> None:
    salter = Salter(ROOT, LINE)
    assert are_salts(salter.salts(7, b"{}", one))
    assert (salter.salts(7, b"{}", one) == salter.salts(7, b"{}", other)) == (one == other)
    assert salter.salts(7, b"{}", one) != salter.salts(8, b"{}", one)


def test_another_line_has_other_salts_for_the_same_event() -> None:
    header, body, _ = EVENTS[0]
    assert Salter(ROOT, LINE).salts(1, header, body) != Salter(ROOT, LINE + " ").salts(1, header, body)
