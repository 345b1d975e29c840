"""The kinds of word that an order is made of: each reads a word into a typed value and writes it back.

A field's kind is declared in its annotation, `Annotated[str, Word(of="weapons")]`, or follows from its type: `Point`
is a place, `Hex` a hex, `int` a whole number, `bool` a flag, an enum or `Literal` one of its words. A rule set may add
kinds of its own by deriving from `Kind`.
"""

from __future__ import annotations

import re
from heapq import nsmallest
from typing import Annotated, ClassVar, Final, TypeAlias

import msgspec

from engine.field.hexes import distance, hex_name, hex_named
from engine.orders.errors import GrammarInvalid, OrderUnreadable
from engine.orders.names import MAX_NEAREST, Names, refuse_wrong_name, unknown
from engine.orders.words import fold, offered, shown, visible
from events.dice.expression import NotationError
from events.places import Hex, PlaceInvalid, Point

LARGEST_NUMBER: Final = 1_000_000
"""The largest whole number of an order, unless its field sets a lower limit."""
FARTHEST_CM: Final = 100_000
"""The longest length, and the farthest that a place lies from the corner of the field, in cm."""
LONGEST_TEXT: Final = 500
"""Characters in a quoted text."""

HEXES: Final = "hexes"
"""The vocabulary of the hexes on the map."""

_MM_IN_CM: Final = 10
_WHOLE: Final = re.compile(r"([+-]?)([0-9]+)")
_DECIMAL: Final = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]+))?")
_DIGITS_READ: Final = 12
"""Digits that are worth turning into a number: more is beyond every limit."""


class Kind(msgspec.Struct, frozen=True):
    """Base of the kinds. `holds` is the Python type of the values."""

    holds: ClassVar[type] = str

    def form(self, field: str) -> str:
        """Give the placeholder that help texts show for a field of this kind."""
        return field.upper()

    def read(self, text: str, names: Names) -> object:
        """Turn one word into a value. Raises OrderUnreadable or OrderAmbiguous."""
        raise NotImplementedError

    def write(self, value: object) -> str:
        """Turn a value into the word that `read` turns into the same value. Raises OrderUnreadable."""
        raise NotImplementedError

    def recall(self, text: str, names: Names) -> object:
        """Turn a word that `write` gave back into its value, whatever can be named now: `names` takes every name.

        A kind that holds texts gives the word itself; one that writes a text otherwise than it is must say how.
        """
        return text if self.holds is str else self.read(text, names)


class PieceName(Kind, frozen=True):
    """The name of a piece; the value is its id."""

    def form(self, field: str) -> str:
        """Give `PIECE`, whatever the field is called."""
        return "PIECE"

    def read(self, text: str, names: Names) -> str:
        """Find the piece by id, display name or unique beginning."""
        return names.piece(text)

    def write(self, value: object) -> str:
        """Write the id."""
        return _name(value)


class Word(Kind, frozen=True):
    """One word of the vocabulary `of`, which the situation supplies, such as the weapons on the field."""

    of: str

    def read(self, text: str, names: Names) -> str:
        """Find the word, compared as names are."""
        return names.word(text, self.of)

    def write(self, value: object) -> str:
        """Write the word as the vocabulary has it."""
        return _name(value)


class Choice(Kind, frozen=True):
    """One of a few fixed words, made from an enum or a `Literal`; `options` pairs each word with its value."""

    holds: ClassVar[type] = object
    options: tuple[tuple[str, object], ...]

    def form(self, field: str) -> str:
        """List the words when they are few."""
        few = 5
        return "|".join(word for word, _ in self.options) if len(self.options) <= few else field.upper()

    def read(self, text: str, names: Names) -> object:
        """Find the word, compared as names are."""
        wanted = fold(text)
        for word, value in self.options:
            if fold(word) == wanted:
                return value
        words = {fold(word): [word] for word, _ in self.options}
        raise unknown(f"{shown(text)} is not a choice here", text, words, "the choices are")

    def write(self, value: object) -> str:
        """Write the word of the value."""
        for word, option in self.options:
            if option == value and type(option) is type(value):
                return word
        raise OrderUnreadable(f"{value!r} is not one of the choices {self.form('choice')}")


class Number(Kind, frozen=True):
    """A whole number from `least` to `most`, both included."""

    holds: ClassVar[type] = int
    least: int = 0
    most: int = LARGEST_NUMBER

    def form(self, field: str) -> str:
        """Give the limits where the field has limits of its own, such as `0..359`."""
        return f"{self.least}..{self.most}" if self.most < LARGEST_NUMBER else field.upper()

    def __post_init__(self) -> None:
        """Promise that the limits are within those of every order. Raises GrammarInvalid."""
        if not -LARGEST_NUMBER <= self.least <= self.most <= LARGEST_NUMBER:
            raise GrammarInvalid(f"Number({self.least}, {self.most}): set limits within ±{LARGEST_NUMBER}, least first")

    def read(self, text: str, names: Names) -> int:
        """Read decimal digits with or without a sign."""
        found = _WHOLE.fullmatch(text)
        if not found:
            raise OrderUnreadable(f"{shown(text)} is not a whole number such as 3")
        sign, digits = found.groups()
        return self._within(_signed(sign, _number(digits)), text)

    def write(self, value: object) -> str:
        """Write the number without leading zeros."""
        return str(self._within(_integer(value), str(value)))

    def _within(self, number: int, text: str) -> int:
        if not self.least <= number <= self.most:
            raise OrderUnreadable(f"{shown(text)} is beyond the limits: from {self.least} to {self.most}")
        return number


class Centimetres(Kind, frozen=True):
    """A length, typed in cm with one decimal at most; the value is in whole millimetres. From 0 to `most_cm`."""

    holds: ClassVar[type] = int
    most_cm: int = FARTHEST_CM

    def form(self, field: str) -> str:
        """Give `CM`, whatever the field is called."""
        return "CM"

    def read(self, text: str, names: Names) -> int:
        """Read a length such as 34 or 34.5."""
        return self._within(_millimetres(text, text), text)

    def write(self, value: object) -> str:
        """Write the length in cm."""
        return _centimetres(self._within(_integer(value), str(value)))

    def _within(self, mm: int, text: str) -> int:
        if not 0 <= mm <= self.most_cm * _MM_IN_CM:
            raise OrderUnreadable(f"{shown(text)} is beyond the limits: from 0 to {self.most_cm} cm")
        return mm


class Place(Kind, frozen=True):
    """A place on the field, typed as `x,y` in cm from its corner with one decimal at most; the value is in mm."""

    holds: ClassVar[type] = Point

    def form(self, field: str) -> str:
        """Give `X,Y`, whatever the field is called."""
        return "X,Y"

    def read(self, text: str, names: Names) -> Point:
        """Read a place such as 34.5,12."""
        if text.count(",") != 1:
            raise OrderUnreadable(f"{shown(text)} is not a place: write x,y in cm without a space, such as 34.5,12")
        x, y = (_near(_millimetres(part, text), text) for part in text.split(","))
        return Point(x, y)

    def write(self, value: object) -> str:
        """Write the place in cm."""
        if not isinstance(value, Point):
            raise OrderUnreadable(f"{value!r} is not a place")
        x, y = (_centimetres(_near(_integer(mm), str(mm))) for mm in (value.x, value.y))
        return f"{x},{y}"


class HexNumber(Kind, frozen=True):
    """A hex of the map, typed as four digits: column, then row, such as 0304.

    The vocabulary `of` holds the hexes on the map as they are typed; where it is not supplied, every hex is on the map.
    """

    holds: ClassVar[type] = Hex
    of: str = HEXES

    def form(self, field: str) -> str:
        """Give `HEX`, whatever the field is called."""
        return "HEX"

    def read(self, text: str, names: Names) -> Hex:
        """Read four digits; a hex off the map is answered with the nearest ones on it."""
        found = _hex_named(text)
        on_map = names.vocabulary.words.get(self.of)
        if on_map is None or text in on_map:
            return found
        nearest = nsmallest(MAX_NEAREST, on_map, key=lambda name: (distance(found, _hex_named(name)), name))
        raise OrderUnreadable(f"hex {text} is not on the map; nearest: {offered(nearest)}", nearest=nearest)

    def write(self, value: object) -> str:
        """Write the four digits."""
        if not isinstance(value, Hex):
            raise OrderUnreadable(f"{value!r} is not a hex")
        try:
            return hex_name(value)
        except PlaceInvalid as invalid:
            raise OrderUnreadable(str(invalid)) from None


class DiceText(Kind, frozen=True):
    """A dice expression such as 2d6+3; the value is its canonical text (see `events.dice.notation`)."""

    def form(self, field: str) -> str:
        """Give `DICE`, whatever the field is called."""
        return "DICE"

    def read(self, text: str, names: Names) -> str:
        """Read the expression; spaces are possible within quotes."""
        return _dice(text)

    def write(self, value: object) -> str:
        """Write the expression, which must be canonical, since it would be read so."""
        if not isinstance(value, str) or _dice(value) != value:
            raise OrderUnreadable(f"{value!r} is not the canonical text of dice")
        return value


class FreeText(Kind, frozen=True):
    """Words for people, kept exactly; in quotes when they are more than one word. At most `longest` characters."""

    longest: int = LONGEST_TEXT

    def form(self, field: str) -> str:
        """Give the field's name in quotes."""
        return f'"{field.upper()}"'

    def read(self, text: str, names: Names) -> str:
        """Take the text as it is."""
        return self._within(text)

    def write(self, value: object) -> str:
        """Write the text as it is."""
        if not isinstance(value, str):
            raise OrderUnreadable(f"{value!r} is not a text")
        return self._within(value)

    def _within(self, text: str) -> str:
        if len(text) > self.longest:
            raise OrderUnreadable(f"the text {shown(text)} has {len(text)} characters, {self.longest} is the most")
        return text


class Flag(Kind, frozen=True):
    """A word that is there or not. `word` is what is typed, the field's own name when empty."""

    holds: ClassVar[type] = bool
    word: str = ""


Piece: TypeAlias = Annotated[str, PieceName()]
Length: TypeAlias = Annotated[int, Centimetres()]
Dice: TypeAlias = Annotated[str, DiceText()]
Text: TypeAlias = Annotated[str, FreeText()]


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise OrderUnreadable(f"{value!r} is not a name")
    refuse_wrong_name(value)
    return value


def _integer(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise OrderUnreadable(f"{value!r} is not a whole number")
    return value


def _number(digits: str) -> int:
    significant = digits.lstrip("0") or "0"
    return int(significant[:_DIGITS_READ])  # what is cut off is beyond the limits with twelve digits already


def _signed(sign: str, number: int) -> int:
    return -number if sign == "-" else number


def _millimetres(text: str, whole: str) -> int:
    """Read cm with one decimal at most; `whole` is the word that `text` is part of."""
    found = _DECIMAL.fullmatch(text)
    if not found:
        raise OrderUnreadable(f"{shown(whole)} is not a length in cm such as 34 or 34.5")
    sign, centimetres, tenths = found.groups()
    if tenths and len(tenths) > 1:
        raise OrderUnreadable(f"{shown(whole)} is finer than a millimetre: write one decimal of a cm at most")
    return _signed(sign, _number(centimetres) * _MM_IN_CM + int(tenths or 0))


def _centimetres(mm: int) -> str:
    whole, tenths = divmod(abs(mm), _MM_IN_CM)
    return f"{'-' if mm < 0 else ''}{whole}{f'.{tenths}' if tenths else ''}"


def _near(mm: int, text: str) -> int:
    if abs(mm) > FARTHEST_CM * _MM_IN_CM:
        raise OrderUnreadable(f"{shown(text)} is beyond the limits: {FARTHEST_CM} cm either way")
    return mm


def _hex_named(name: str) -> Hex:
    try:
        return hex_named(name)
    except PlaceInvalid:
        raise OrderUnreadable(f"{shown(name)} is not a hex: write column and row as four digits such as 0304") from None


def _dice(text: str) -> str:
    from events.dice.notation import parse  # few orders hold dice

    try:
        return str(parse(text))
    except NotationError as problem:
        raise OrderUnreadable(visible(str(problem))) from None
