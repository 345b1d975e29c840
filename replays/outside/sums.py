"""Sums of dice as other programs write them: more operators and modifiers than our own notation, two ways of reckoning.

Our notation (see `events.dice.notation`) is what a roll is recorded in wherever it can say the same; this reader
exists to check sums that it cannot say, such as `1d6+2*3`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import msgspec

from events.dice.expression import NotationError
from events.dice.notation import parse

Dialect: TypeAlias = Literal["math", "left-to-right"]
Keep: TypeAlias = Literal["keep high", "keep low", "drop high", "drop low"]
Spelling: TypeAlias = Mapping[str, Keep]
"""What the modifiers of a program mean, by the letters that they begin with."""

COMMON: Final[Spelling] = MappingProxyType(
    {
        "k": "keep high",
        "kh": "keep high",
        "kl": "keep low",
        "d": "drop low",
        "dl": "drop low",
        "dh": "drop high",
    }
)

MAX_DICE: Final = 10_000
"""Dice in one term: logs hold larger throws than our own notation allows."""
MAX_SIDES: Final = 1_000_000
MAX_OPERANDS: Final = 60


class Term(msgspec.Struct, frozen=True, gc=False):
    """Equal dice within a sum. `altered` holds modifiers that change how many dice there are or what they are worth."""

    count: int
    low: int
    high: int
    keep: int
    lowest: bool = False
    altered: str = ""

    def kept(self, faces: Sequence[int]) -> tuple[bool, ...]:
        """Tell for each die whether it counts. Of equal dice the earlier one is kept."""
        if self.altered or self.keep >= len(faces):
            return (True,) * len(faces)
        ranked = sorted(range(len(faces)), key=faces.__getitem__, reverse=not self.lowest)
        chosen = set(ranked[: self.keep])
        return tuple(die in chosen for die in range(len(faces)))

    def __str__(self) -> str:
        sides = {(0, 99): "00", (-1, 1): "F"}.get((self.low, self.high), str(self.high))
        kept = "" if self.keep == self.count else f"k{'l' if self.lowest else ''}{self.keep}"
        return f"{self.count}d{sides}{kept}{self.altered}"


class Place(msgspec.Struct, frozen=True, gc=False):
    """The place of a term in a sum, counted from 0."""

    term: int


class Plain(msgspec.Struct, frozen=True, gc=False):
    """A plain number in a sum, with the operator before it (+ for the first)."""

    sign: str
    number: int

    def __str__(self) -> str:
        return f"{self.sign}{self.number}"


class Sum(msgspec.Struct, frozen=True, gc=False):
    """A sum of dice and numbers. `operands` stand as written; `steps` are the same with operators, in order of work."""

    text: str
    dialect: Dialect
    terms: tuple[Term, ...]
    operands: tuple[Plain | Place, ...]
    steps: tuple[int | Place | str, ...]

    def value(self, worths: Sequence[int]) -> Fraction | None:
        """Work the sum out for what each term is worth; None if that divides by nothing.

        >>> read_sum("1d6+2*3", "left-to-right").value([4]), read_sum("1d6+2*3").value([4])
        (Fraction(18, 1), Fraction(10, 1))
        """
        stack: list[Fraction] = []
        for step in self.steps:
            if isinstance(step, str):
                right, left = stack.pop(), stack.pop()
                if step == "/" and not right:
                    return None
                stack.append(_reckon(step, left, right))
            else:
                stack.append(Fraction(worths[step.term] if isinstance(step, Place) else step))
        return stack.pop()

    def bounds(self) -> tuple[Fraction, Fraction] | None:
        """Give the least and greatest possible result; None if modifiers or a division leave that open."""
        stack: list[tuple[Fraction, Fraction]] = []
        for step in self.steps:
            if isinstance(step, Place):
                term = self.terms[step.term]
                if term.altered:
                    return None
                stack.append((Fraction(term.keep * term.low), Fraction(term.keep * term.high)))
            elif isinstance(step, int):
                stack.append((Fraction(step), Fraction(step)))
            else:
                right, left = stack.pop(), stack.pop()
                if step == "/" and right[0] <= 0 <= right[1]:
                    return None
                ends = [_reckon(step, one, other) for one in left for other in right]
                stack.append((min(ends), max(ends)))
        return stack.pop()

    def notation(self) -> str:
        """Write the dice in our own notation, or as they stand if that cannot say the same.

        >>> read_sum("5 + 2d20L1", spelling={"l": "keep low"}).notation(), read_sum("1d6+2*3").notation()
        ('2d20kl1+5', '1d6+2*3')
        """
        if any(step in ("*", "/") for step in self.steps):
            return self.text
        terms = iter(self.terms)
        text = _DICE.sub(lambda found: str(next(terms)), self.text)
        if "-" not in self.steps:
            text = text.translate({ord("("): " ", ord(")"): " "})
        try:
            return str(parse(text))
        except NotationError:
            return self.text


def fits(value: Fraction, total: int) -> bool:
    """Tell whether a result may be stated as this whole number; how a fraction was rounded is not known."""
    return floor(value) <= total <= ceil(value)


def _reckon(operator: str, left: Fraction, right: Fraction) -> Fraction:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
    return left / right


class SumUnreadable(ValueError):
    """Dice in a log are written in a way that is not known. It never leaves this folder."""


_DICE: Final = re.compile(
    r"([0-9]{0,7})[dD]([0-9]{1,9}|%|[fF])((?:[a-zA-Z!^]*[<>=]{1,2}[0-9]{1,7}|[a-zA-Z!^]+[0-9]{0,7})*)"
)
_MODIFIER: Final = re.compile(r"([a-zA-Z!^]*)([<>=]*)([0-9]*)")
_NUMBER: Final = re.compile(r"[0-9]{1,9}(?![0-9])")
SIGNS: Final = {"+": "+", "-": "-", "−": "-", "–": "-", "*": "*", "×": "*", "/": "/", "÷": "/"}
_BINDS: Final = {"+": 1, "-": 1, "*": 2, "/": 2}


def read_sum(text: str, dialect: Dialect = "math", spelling: Spelling = COMMON) -> Sum:
    """Read a sum of dice. Raises `SumUnreadable` with the reason."""
    if len(text) > 500:
        raise SumUnreadable(f"{len(text)} characters are too many for dice")
    return _SumReader(text, dialect, spelling).read()


class _SumReader:
    """One reading, left to right, that puts operators after what they join (so brackets need no recursion)."""

    def __init__(self, text: str, dialect: Dialect, spelling: Spelling) -> None:
        self.text, self.dialect, self.spelling = text, dialect, spelling
        self.at = 0
        self.terms: list[Term] = []
        self.operands: list[Plain | Place] = []
        self.sign = "+"
        self.steps: list[int | Place | str] = []
        self.held: list[str] = []

    def read(self) -> Sum:
        wants_operand = True
        while char := self.peek():
            if char == "(" and wants_operand:
                self.held.append("(")
                self.at += 1
            elif char == ")" and not wants_operand:
                self.close()
            elif wants_operand:
                self.operand()
                wants_operand = False
            else:
                self.operator(char)
                wants_operand = True
        if wants_operand:
            raise SumUnreadable(f'"{short(self.text)}" ends where dice or a number should follow')
        self.release(0)
        if self.held:
            raise SumUnreadable(f'"{short(self.text)}" has a bracket that is never closed')
        return Sum(self.text.strip(), self.dialect, tuple(self.terms), tuple(self.operands), tuple(self.steps))

    def peek(self) -> str:
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def operand(self) -> None:
        minus = SIGNS.get(self.peek(), "")
        if minus in ("+", "-"):
            self.at += 1
            self.peek()
        elif minus:
            raise SumUnreadable(f'"{short(self.text)}" has "{minus}" where dice or a number should stand')
        if len(self.operands) >= MAX_OPERANDS:
            raise SumUnreadable(f"more than {MAX_OPERANDS} terms")
        if found := _DICE.match(self.text, self.at):
            place = Place(len(self.terms))
            self.terms.append(_term(found, self.spelling))
            if minus == "-":
                if self.operands:
                    raise SumUnreadable(f'"{short(self.text)}" takes dice below 0')
                self.steps += [0, place, "-"]
            else:
                self.steps.append(place)
            self.operands.append(place)
        elif found := _NUMBER.match(self.text, self.at):
            self.steps.append(-int(found[0]) if minus == "-" else int(found[0]))
            self.operands.append(plain(self.sign, minus, int(found[0])))
        else:
            raise SumUnreadable(f'"{short(self.text[self.at :])}" is neither dice nor a number')
        self.at = found.end()

    def operator(self, char: str) -> None:
        sign = SIGNS.get(char)
        if sign is None:
            raise SumUnreadable(f'"{short(self.text[self.at :])}" is not understood in "{short(self.text)}"')
        self.release(_BINDS[sign] if self.dialect == "math" else 0)
        self.held.append(sign)
        self.sign = sign
        self.at += 1

    def release(self, binds: int) -> None:
        """Let the operators that are held back do their work, down to those that bind less than `binds`."""
        while self.held and self.held[-1] != "(" and _BINDS[self.held[-1]] >= binds:
            self.steps.append(self.held.pop())

    def close(self) -> None:
        self.release(0)
        if not self.held:
            raise SumUnreadable(f'"{short(self.text)}" has a bracket that was never opened')
        self.held.pop()
        self.at += 1


def plain(sign: str, own: str, number: int) -> Plain:
    """Put a number together with its operator and a minus of its own, as in `+-5`."""
    if own == "-":
        if sign in ("+", "-"):
            return Plain("-" if sign == "+" else "+", number)
        return Plain(sign, -number)
    return Plain(sign, number)


def _term(found: re.Match[str], spelling: Spelling) -> Term:
    """Read one throw with its modifiers."""
    count = int(found[1] or "1")
    low, high = {"%": (1, 100), "f": (-1, 1), "00": (0, 99)}.get(found[2].lower(), (1, 0))
    high = high if high > 0 else int(found[2])
    if count > MAX_DICE:
        raise SumUnreadable(f"{count:,} dice: the limit is {MAX_DICE:,}")
    if not 1 <= high <= MAX_SIDES:
        raise SumUnreadable(f"a die with {high:,} sides: from 1 to {MAX_SIDES:,} are read")
    keep, lowest, altered = count, False, ""
    for letters, compare, number in _MODIFIER.findall(found[3]):
        meaning = spelling.get(letters.lower())
        if not (letters or compare or number):
            continue
        if meaning is None or compare or keep != count or altered:
            altered += f"{letters}{compare}{number}"
            continue
        amount = min(int(number or "1"), count)
        keep = amount if meaning.startswith("keep") else count - amount
        lowest = meaning in ("keep low", "drop high")
    return Term(count, low, high, keep, lowest and keep < count, altered)


def short(text: str) -> str:
    """Quote a log's text in a message: short, on one line, nothing invisible."""
    short = text if len(text) <= 40 else text[:39] + "…"
    return "".join(char if char.isprintable() else f"<U+{ord(char):04X}>" for char in short)


_TERM: Final = r"(?>[0-9]{0,5}[dD](?:[0-9]{1,6}|%|[fF])[a-zA-Z!^<>=0-9]{0,30})"
DICE_TEXT: Final = rf"(?>(?:[0-9]{{1,6}}\s?[-+*×−–]\s?)?{_TERM}(?:\s?[-+*/×÷−–]\s?(?:{_TERM}|[0-9]{{1,6}})){{0,40}})"
"""A pattern for dice within a line of prose; what it finds is still to be read with `read_sum`.

It is atomic: a line that fails further on is not tried once more for each way to share out the digits of its terms.
"""
