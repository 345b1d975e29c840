"""Reading the parts of a scenario file: every value typed, every problem kept with its place, none raised."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from engine.orders.kinds import FARTHEST_CM
from engine.rules.words import nearest
from events.places import Point

_MM_IN_CM: Final = 10
_LISTED: Final = 8


class Section:
    """One table of a scenario file, such as `figures.grubnik`. What is wrong goes into `problems`, with its place.

    Each getter gives the value, or a harmless stand-in when there is a problem (then `wrongly` is true), so that
    reading goes on and finds the rest. `close` names the keys that nobody asked for.
    """

    def __init__(self, where: str, raw: object, problems: list[str]) -> None:
        self.where = where
        self.problems = problems
        self.wrongly = False
        self._known: set[str] = set()
        self._raw: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
        if not isinstance(raw, dict):
            self.wrongly = True
            problems.append(f"{where}: it must be a table, written [{where}]")

    def __contains__(self, key: str) -> bool:
        return key in self._raw

    def wrong(self, key: str, problem: str) -> None:
        """Note what is wrong with a value."""
        self.wrongly = True
        self.problems.append(f"{self.where}.{key}: {problem}")

    def raw(self, key: str) -> Any:
        """Give a value as it stands in the file, or None."""
        self._known.add(key)
        return self._raw.get(key)

    def text(self, key: str, default: str | None = None) -> str:
        """Give a text; without `default` it must be there."""
        value = self._there(key, default is None)
        if value is None:
            return default or ""
        empty = default is None and isinstance(value, str) and not value.strip()
        if not isinstance(value, str) or empty or not value.isprintable():
            self.wrong(key, "must be a text in quotes, on one line")
            return default or ""
        return value.strip()

    def word(self, key: str, choices: Collection[str], what: str, default: str | None = None) -> str:
        """Give one of some words, such as a race. `what` names them in messages."""
        value = self.text(key, default)
        if value and value != default and value not in choices:
            self.wrong(key, unknown(value, choices, what))
            return default or ""
        return value

    def words(self, key: str, choices: Collection[str] | None, what: str) -> tuple[str, ...]:
        """Give a list of words; none if it is not there."""
        value = self.raw(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            self.wrong(key, 'must be a list of texts such as ["rain"]')
            return ()
        for each in value:
            if choices is not None and each not in choices:
                self.wrong(key, unknown(each, choices, what))
        return tuple(each for each in value if choices is None or each in choices)

    def flag(self, key: str, default: bool = False) -> bool:
        """Give true or false."""
        value = self.raw(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.wrong(key, "must be true or false")
            return default
        return value

    def whole(self, key: str, least: int, most: int, default: int | None = None) -> int:
        """Give a whole number within limits."""
        value = self._there(key, default is None)
        if value is None:
            return default if default is not None else least
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self.wrong(key, f"must be a whole number from {least} to {most}")
            return default if default is not None else least
        return value

    def length(self, key: str, default: int | None = None, least: int = 0) -> int:
        """Give a length, written in cm, in whole millimetres."""
        value = self._there(key, default is None)
        if value is None:
            return default or 0
        mm = millimetres(value)
        if mm is None or mm < least:
            self.wrong(key, "must be a length in cm such as 12 or 12.5, to a whole millimetre")
            return default or least
        return mm

    def point(self, key: str) -> Point:
        """Give a place, written as [x, y] in cm."""
        value = self._there(key, True)
        found = _point(value)
        if found is None:
            if value is not None:
                self.wrong(key, "must be a place such as [34, 12.5], in cm from the south-west corner")
            return Point(0, 0)
        return found

    def points(self, key: str) -> tuple[Point, ...]:
        """Give a list of places."""
        value = self._there(key, True)
        found = [_point(each) for each in value] if isinstance(value, list) else [None]
        if None in found:
            if value is not None:
                self.wrong(key, "must be a list of places such as [[0, 0], [10, 0], [10, 10]]")
            return ()
        return tuple(each for each in found if each is not None)

    def close(self) -> None:
        """Name the keys that have no meaning here."""
        for key in self._raw:
            if key not in self._known:
                near = nearest(key, self._known, 1)
                hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(sorted(self._known))}"
                self.problems.append(f"{self.where}.{key}: nothing is called so here{hint}")

    def _there(self, key: str, required: bool) -> Any:
        value = self.raw(key)
        if value is None and required:
            self.wrong(key, "is missing")
        return value


def sections(raw: object, where: str, problems: list[str]) -> list[Section]:
    """The tables of an array such as `[[areas]]`, each named by its id where it has one."""
    if raw is None:
        return []
    if not isinstance(raw, list):
        problems.append(f"{where}: must be written as [[{where}]], once for each")
        return []
    found = []
    for number, each in enumerate(raw, 1):
        name = each.get("id") if isinstance(each, dict) else None
        found.append(Section(f"{where}.{name if isinstance(name, str) else number}", each, problems))
    return found


def named_sections(raw: object, where: str, problems: list[str]) -> dict[str, Section]:
    """The tables within a table such as `[figures.grubnik]`, by name."""
    if not isinstance(raw, dict):
        problems.append(f"{where}: must be tables, each written [{where}.NAME]")
        return {}
    return {name: Section(f"{where}.{name}", each, problems) for name, each in raw.items()}


def unknown(word: str, choices: Collection[str], what: str) -> str:
    """Tell that there is no such word, with the nearest right ones or all of them."""
    near = nearest(word, choices)
    if near:
        return f"no {what} {word!r}; nearest: {', '.join(near)}"
    listed = sorted(choices)
    more = ", …" if len(listed) > _LISTED else ""
    return f"no {what} {word!r}; there are {', '.join(listed[:_LISTED]) or 'none'}{more}"


def millimetres(value: object) -> int | None:
    """Centimetres as TOML has them in whole millimetres; None if they do not come out whole, or are no such number.

    What lies farther out than an order may lead is no length, either.
    """
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or not Decimal(value).is_finite():
        return None
    if not -FARTHEST_CM <= Decimal(value) <= FARTHEST_CM:
        return None
    mm = value * _MM_IN_CM
    return int(mm) if mm == int(mm) else None


def _point(value: object) -> Point | None:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 2:
        return None
    x, y = (millimetres(each) for each in value)
    return None if x is None or y is None else Point(x, y)
