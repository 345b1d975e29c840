"""Reading stored bodies: old shapes are brought up to date, strangers are kept, nothing is skipped."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.catalogue import Catalogue, CatalogueBroken, EventUnreadable, split_tag, tag_of, write
from events.facts import COMMON, Event, Noted, TurnBegan, Unknown
from events.store.conformance.stage import AT, begun, refusal
from events.store.memory import MemoryLog
from events.store.record import Draft


def counted(raw: dict[str, Any]) -> dict[str, Any]:
    return {**raw, "wounds": len(raw["wounds"])}


def placed(raw: dict[str, Any]) -> dict[str, Any]:
    raw["place"] = "unknown"
    return raw


class Wounded(Event, frozen=True, gc=False, tag="toy.wounded@3"):
    """Its third shape: wounds were a list of texts, then a number, then a number and a place."""

    upcasts: ClassVar = (counted, placed)
    wounds: int
    place: str
    by: tuple[str, ...] = ()


TOY = Catalogue([Wounded])


def test_every_shape_ever_stored_reads_as_the_newest() -> None:
    assert TOY.read('{"type":"toy.wounded","wounds":["arm","leg"],"by":["ann"]}') == Wounded(2, "unknown", ("ann",))
    assert TOY.read('{"type":"toy.wounded@2","wounds":2}') == Wounded(2, "unknown")
    assert TOY.read('{"type":"toy.wounded@3","wounds":2,"place":"arm"}') == Wounded(2, "arm")
    assert TOY.versions() == sorted([*map(tag_of, COMMON), "toy.wounded", "toy.wounded@2", "toy.wounded@3"])


def test_many_bodies_read_like_each_alone() -> None:
    bodies = [
        '{"type":"table.noted","text":"a"}',
        '{"type":"toy.wounded","wounds":["arm"]}',
        '{"type":"tomorrow.storm","force":2.5}',
        '{"type":"clock.turn_began","turn":2}',
    ]
    assert TOY.read_all(bodies) == [TOY.read(body) for body in bodies]
    assert TOY.read_all(bodies[:1] + bodies[3:]) == [Noted("a"), TurnBegan(2)]
    assert TOY.read_all([]) == []


@given(st.lists(st.sampled_from([Noted("a,b"), Noted('"}],[{"'), TurnBegan(3), Wounded(1, "leg")])))
def test_what_is_written_is_read_back(events: list[Event]) -> None:
    assert TOY.read_all([write(event).decode() for event in events]) == events


@pytest.mark.parametrize("tag", ["tomorrow.storm", "toy.wounded@4", "table.noted@2", "unknown", "table.noted@new"])
def test_an_unknown_type_is_named_and_kept_to_the_byte(tag: str) -> None:
    body = f'{{"rare" : [1, 2.50], "type":"{tag}"}}'
    unknown = TOY.read(body)
    assert unknown == Unknown(tag, body)
    assert write(unknown) == body.encode()


def test_unknown_fields_are_passed_over_and_stay_in_the_record() -> None:
    body = '{"type":"table.noted","mood":"grim","text":"hi","again":{"a":[1]}}'
    assert TOY.read(body) == Noted("hi")
    log = MemoryLog()
    line = begun(log)
    log.append(line, [Draft(Unknown("table.noted", body), "red")], 1, AT)
    (kept,) = log.records(line, 1)
    assert kept.body == body


@pytest.mark.parametrize(
    ("body", "name", "version"),
    [
        ('{"type":"table.noted","text":5}', "table.noted", 1),
        ('{"type":"table.noted"}', "table.noted", 1),
        ('{"type":"clock.turn_began","turn":1.5}', "clock.turn_began", 1),
        ('{"type":"toy.wounded@3","wounds":"2","place":"arm"}', "toy.wounded", 3),
        ('{"type":"toy.wounded","wounds":3}', "toy.wounded", 1),
        ('{"type":"toy.wounded"}', "toy.wounded", 1),
        ('{"type":"toy.wounded@2","wounds":"2"}', "toy.wounded", 2),
        ('{"text":"no type"}', "?", 0),
        ('{"type":7}', "?", 0),
        ("[1]", "?", 0),
        ("not JSON", "?", 0),
        ("", "?", 0),
        ('{"type":"table.noted","text":"half a pair \ud800"}', "?", 0),
        ('{"type":"table.noted","text":"","more":' + "[" * 5000 + "]" * 5000 + "}", "?", 0),
    ],
)
def test_an_event_that_cannot_be_read_stops_and_names_place_type_and_version(
    body: str, name: str, version: int
) -> None:
    bodies = ['{"type":"table.noted","text":"a"}'] * 3 + [body, '{"type":"table.noted","text":"b"}']
    unreadable = refusal(EventUnreadable, lambda: TOY.read_all(bodies, 41))
    assert (unreadable.code, unreadable.seq) == ("log/unreadable", 44)
    assert (unreadable.name, unreadable.version) == (name, version)
    assert str(unreadable).startswith(f"event 44 ({name} version {version}) cannot be read: ")
    assert isinstance(unreadable, ValueError)


def test_two_events_in_one_body_are_not_taken_for_two() -> None:
    two = '{"type":"table.noted","text":"a"},{"type":"table.noted","text":"b"}'
    assert refusal(EventUnreadable, lambda: TOY.read_all([two], 9)).seq == 9


def test_an_upcast_that_stumbles_stops_the_reader_at_the_event() -> None:
    def stumble(raw: dict[str, Any]) -> dict[str, Any]:
        raise ZeroDivisionError("no wounds")

    class Stumbling(Event, frozen=True, gc=False, tag="toy.wounded@3"):
        upcasts: ClassVar = (counted, stumble)
        wounds: int

    broken = Catalogue([Stumbling])
    unreadable = refusal(EventUnreadable, lambda: broken.read('{"type":"toy.wounded@2","wounds":2}', 7))
    assert (unreadable.seq, unreadable.version, unreadable.why) == (7, 2, "ZeroDivisionError: no wounds")


class SameTag(Event, frozen=True, gc=False, tag="table.noted"):
    text: str


class OldWounded(Event, frozen=True, gc=False, tag="toy.wounded@2"):
    upcasts: ClassVar = (counted,)
    wounds: int


class NoUpcast(Event, frozen=True, gc=False, tag="toy.wounded@3"):
    wounds: int


class OneUpcast(Event, frozen=True, gc=False, tag="toy.wounded@3"):
    upcasts: ClassVar = (counted,)
    wounds: int


class TooMany(Event, frozen=True, gc=False, tag="toy.wounded@3"):
    upcasts: ClassVar = (counted, placed, placed)
    wounds: int


@pytest.mark.parametrize(
    ("types", "why"),
    [
        ([NoUpcast], "no upcast from version 1 to 2"),
        ([OneUpcast], "no upcast from version 2 to 3"),
        ([TooMany], "upcast from version 3 leads nowhere"),
        ([Wounded, OldWounded], "current in two versions"),
        ([SameTag], "share a wire name"),
    ],
)
def test_a_catalogue_with_a_gap_is_refused_when_it_is_made(types: list[type[Event]], why: str) -> None:
    broken = refusal(CatalogueBroken, lambda: Catalogue(types))
    assert why in str(broken)
    assert isinstance(broken, TypeError)


@given(st.text(alphabet="ab@0123456789", max_size=12))
def test_a_wire_name_has_one_spelling(tag: str) -> None:
    name, version = split_tag(tag)
    assert tag == (name if version == 1 else f"{name}@{version}")


@pytest.mark.parametrize(
    ("tag", "split"),
    [
        ("toy.wounded", ("toy.wounded", 1)),
        ("toy.wounded@2", ("toy.wounded", 2)),
        ("toy.wounded@123456789", ("toy.wounded", 123456789)),
        ("toy.wounded@1234567890", ("toy.wounded@1234567890", 1)),
        ("toy.wounded@1", ("toy.wounded@1", 1)),
        ("toy.wounded@02", ("toy.wounded@02", 1)),
        ("toy.wounded@²", ("toy.wounded@²", 1)),
        ("toy.wounded@٣", ("toy.wounded@٣", 1)),
        ("toy.wounded@", ("toy.wounded@", 1)),
        ("@2", ("@2", 1)),
    ],
)
def test_only_a_version_from_2_on_in_at_most_nine_digits_is_a_suffix(tag: str, split: tuple[str, int]) -> None:
    assert split_tag(tag) == split


def test_equal_events_have_equal_bytes_whatever_the_order_of_their_making() -> None:
    class Counted(Event, frozen=True, gc=False, tag="toy.counted"):
        by_name: dict[str, int]

    assert write(Counted({"b": 1, "a": 2})) == write(Counted({"a": 2, "b": 1}))
    assert write(Counted({"b": 1, "a": 2})) == b'{"type":"toy.counted","by_name":{"a":2,"b":1}}'
    assert msgspec.json.decode(write(Noted("")))["type"] == "table.noted"
