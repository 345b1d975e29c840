"""Dice notation: `2d6+3`, `d%`, `4d6k3`, `4D+2B`.

One small reader, one pass, no backtracking. Whatever it does not know, or is over a limit, it refuses with one line:
what is wrong, where, and what to write instead. It never guesses and never cuts a number short.

| written | meaning |
|---|---|
| `3d6`, `d6` | three dice, one die; `0d6` is no die at all and comes to 0 |
| `d%`, `d100` | one die from 1 to 100 |
| `d00` | one die from 0 to 99, for tables that are read so |
| `d66` | two six-sided dice read as digits, 11 to 66 |
| `4d6k3`, `4d6kh3`, `4d6kl1` | keep the three highest, the lowest one |
| `4D+2B-1P` | a pool of d6: test, bonus and penalty dice (see `Pool`) |
| `+3`, `-3`, `+-3` | whole numbers |

Capital and small letters mean the same. `str(dice)` is the canonical text, and reading that gives equal dice again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NoReturn

from events.dice.expression import Dice, DiceTerm, DigitDice, NotationError, Pool, Target, Test, Throw, percent

__all__ = [
    "Dice",
    "DiceTerm",
    "DigitDice",
    "Pool",
    "Target",
    "Throw",
    "parse",
    "parse_target",
    "percent",
    "split_label",
]

MAX_TEXT: Final = 500
"""Characters in one request, label and all."""
MAX_TERMS: Final = 20
"""Terms in one expression, numbers included."""
MAX_DICE: Final = 200
"""Dice in one expression."""
MAX_SIDES: Final = 1000
"""Sides of one die."""
MAX_FACES: Final = 10_000
"""Sides of all the dice of one expression together: exact odds of any of them take a blink."""
MAX_FACES_SORTED: Final = 2_000
"""Likewise of the dice in pools and in throws that drop some, since their odds cost more."""
MAX_NUMBER: Final = 1_000_000
"""Size of a whole number, and of the sum of the whole numbers."""


def parse(text: str) -> Dice:
    """Read dice notation, and nothing but that. Raises NotationError; refuses within the limits above, so at once.

    >>> str(parse("D6 + 4d6KH3 − 2"))
    '1d6+4d6k3-2'
    """
    reader = _Reader(text)
    dice = reader.expression()
    reader.skip_spaces()
    if not reader.at_end():
        reader.refuse_rest()
    return dice


def parse_target(text: str) -> Target:
    """Read a target number such as `<= 45`. Raises NotationError."""
    reader = _Reader(text)
    reader.skip_spaces()
    target = reader.target()
    reader.skip_spaces()
    if target is None or not reader.at_end():
        reader.refuse("a target is <=, >=, < or > and a whole number")
    return target


def split_label(text: str) -> tuple[Dice, Target | None, str]:
    """Part a request into its dice, its target if it has one, and what is written behind them.

    `#` always begins the label. Without it the label must not look like more dice; where it does, NotationError asks.

    >>> dice, target, label = split_label("1d100 <= 45 dex save please!")
    >>> str(dice), str(target), label
    ('1d100', '<= 45', 'dex save please!')
    """
    reader = _Reader(text)
    dice = reader.expression()
    reader.skip_spaces()
    target = reader.target()
    return dice, target, reader.label()


_DASHES: Final = "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63"
# What is read for what: capitals as small letters, full-width forms as the ASCII that they repeat at a fixed distance,
# any dash as minus. Each character becomes one character, so columns stay true.
_PLAIN: Final = {
    **{0xFEE0 + code: ord(chr(code).lower()) for code in range(0x21, 0x7F)},
    **{code: code + 0x20 for code in range(ord("A"), ord("Z") + 1)},
    **dict.fromkeys(map(ord, _DASHES), ord("-")),
}

_THROW: Final = re.compile(r"([0-9]*)d(%|[0-9]+)(?:k([hl]?)([0-9]*))?")
_POOL: Final = re.compile(r"([0-9]*)([dbp])")
_NUMBER: Final = re.compile(r"[0-9]+")

# Patterns for what follows the dice are compiled when first needed: most readings have no target and no label.
_TARGET: Final = r"(<=|>=|[<>≤≥])\s*([+-]?)([0-9]+)"
# A label that opens like a part of dice notation, here or in other programs: `k3`, `e6`, `x2`, `3 ...`, a lone `b`.
_OPENS_LIKE_DICE: Final = r"[0-9%+\-*/^()<>=!,×÷≤≥]|[a-z]{1,2}[0-9%]|(?:k[hl]|[dbpk])(?:\s|$)"
_HOLDS_DICE: Final = r"[+\-*/^<>=×÷≤≥]\s*[0-9]|(?<![a-z0-9])[0-9]*d[0-9%]"

_TESTS: Final[dict[str, Test]] = {
    "<=": "at_most",
    "≤": "at_most",
    ">=": "at_least",
    "≥": "at_least",
    "<": "below",
    ">": "above",
}
_COMPARES: Final = frozenset("<>=≤≥")

_STRANGERS: Final = {
    "*": "multiplication",
    "×": "multiplication",
    "/": "division",
    "÷": "division",
    "^": "a power",
    "!": "an exploding die",
    ",": "a list",
    ";": "a list",
    ".": "a decimal fraction",
}


class _Reader:
    """One reading of one text, from left to right: where it stands and what it has found so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.terms: list[DiceTerm] = []
        self.pool_place: int | None = None
        self.pool = Pool(0)
        self.constant = 0
        self.dice = 0
        self.sides = 0
        self.sorted_sides = 0
        if len(text) > MAX_TEXT:
            self.refuse(f"{len(text):,} characters are too many: the limit is {MAX_TEXT}", column=0)
        self.plain = text.translate(_PLAIN)

    # The place

    def peek(self) -> str:
        return self.plain[self.at : self.at + 1]

    def at_end(self) -> bool:
        return self.at >= len(self.plain)

    def skip_spaces(self) -> None:
        while self.peek().isspace():
            self.at += 1

    def refuse(self, message: str, *, at: int | None = None, column: int | None = None) -> NoReturn:
        """Raise NotationError for the place `at` (from 0; where the reader stands, if not given)."""
        place = (self.at if at is None else at) + 1 if column is None else column
        where = f" (character {place})" if place else ""
        raise NotationError(self.text, f'dice "{_shown(self.text)}": {message}{where}', place)

    def refuse_rest(self) -> NoReturn:
        """Name what stands where a term should have begun or ended."""
        char, before = self.peek(), self.plain[: self.at].rstrip()[-1:]
        if not char or not (before or char.strip()):
            self.refuse("a number or dice such as 2d6 must follow" if before else "there is nothing to read")
        if char in "()[]{}":
            self.refuse(f"brackets are not read (nesting limit 0): write the number of dice out, at most {MAX_DICE}")
        if char == "#" or char in _COMPARES:
            self.refuse(f'"{char}" has no place here, only dice and numbers')
        if char in _STRANGERS:
            self.refuse(f'"{char}" for {_STRANGERS[char]} is not read: write sums and differences such as 2d6+3')
        if char.isdecimal() and not char.isascii():
            self.refuse(f'"{char}" is the digit {int(char)} of another script: write {int(char)}')
        if before in ("+", "-"):
            self.refuse(f'a number or dice must follow "{before}", not "{_shown(char)}"; put # before a label')
        if self.plain[self.at - 1 : self.at].isspace():
            self.refuse(f'"{_shown(char)}" behind a space: write dice in one word such as 4d6k3, joined by + or -')
        self.refuse(f'"{_shown(char)}" is not read here: write dice such as 2d6, 4d6k3, d%, 4D+2B and numbers')

    def count(self, digits: str, most: int, what: str, *, at: int) -> int:
        """Read digits as a number no greater than `most`."""
        return self.within(int(digits), most, what, at=at)

    def within(self, value: int, most: int, what: str, *, at: int | None = None) -> int:
        if value > most:
            self.refuse(f"{_shown(f'{value:,}')} {what}: the limit is {most:,}", at=at)
        return value

    # The sum

    def expression(self) -> Dice:
        """Read terms for as long as plus and minus signs join them, and stop behind the last."""
        terms = 0
        while terms == 0 or self.goes_on():
            terms += 1
            sign, own_minus = self.sign(first=terms == 1)
            self.within(terms, MAX_TERMS, "terms")
            self.term(sign, own_minus=own_minus)
        return self.finish()

    def goes_on(self) -> bool:
        """Tell whether a sign follows, be it behind spaces; the reader stays where it is."""
        return self.plain[self.at :].lstrip().startswith(("+", "-"))

    def sign(self, *, first: bool) -> tuple[int, bool]:
        """Read the sign before a term, and tell whether a minus is the number's own, as in `+-5` or a leading `-5`."""
        self.skip_spaces()
        signs = ""
        while self.peek() in ("+", "-"):
            signs += self.peek()
            self.at += 1
            self.skip_spaces()
        if signs in ("--", "++") or len(signs) > 2:
            self.refuse(f'"{_shown(signs)}" is unclear: write one + or -', at=self.at - 1)
        return (-1 if "-" in signs else 1), "-" in (signs if first else signs[1:])

    def term(self, sign: int, *, own_minus: bool) -> None:
        """Read one term: a throw, a share of the pool or a number, whichever stands here."""
        start = self.at
        if match := _THROW.match(self.plain, start):
            reads = self.throw_term
        elif match := _POOL.match(self.plain, start):
            reads = self.pool_term
        elif match := _NUMBER.match(self.plain, start):
            self.at = match.end()
            self.constant += sign * self.count(match[0], MAX_NUMBER, "as a number", at=start)
            self.ends_clean()
            return
        else:
            self.refuse_rest()
        if own_minus and match[2] != "p":
            self.refuse("the number of dice cannot be below 0: to take dice away write 0-3d6", at=start)
        self.at = match.end()
        self.ends_clean()
        reads(match, sign)

    def ends_clean(self) -> None:
        """Refuse a term with something grown onto it, as in `2d6x` or `4d6k3.5`."""
        char = self.peek()
        if char and not (char.isspace() or char in "+-#" or char in _COMPARES):
            self.refuse_rest()

    def throw_term(self, match: re.Match[str], sign: int) -> None:
        written, sides, end, keep = match.groups()
        start = match.start()
        if sides == "66":
            if written or keep is not None:
                self.refuse(
                    "which is meant? Write d66 for two six-sided dice read as digits, 2d6 for their sum; "
                    "dice with 66 sides and keeping among d66 are not read",
                    at=start,
                )
            self.add(DigitDice(sign))
            return
        low, high = self.face_range(sides, at=match.start(2))
        count = self.count(written or "1", MAX_DICE, "dice", at=start)
        kept = count
        if keep is not None:
            kept = self.count(keep or "0", MAX_DICE, "dice to keep", at=start)
            if not 1 <= kept <= count:
                self.refuse(f"{kept} of {count} dice cannot be kept: keep from 1 to all of them", at=match.start(3))
        self.add(Throw(count, low, high, kept, end == "l" and kept < count, sign), at=start)

    def face_range(self, sides: str, *, at: int) -> tuple[int, int]:
        if sides == "%":
            return 1, 100
        if sides == "00":
            return 0, 99
        if sides[0] == "0":
            self.refuse(f"a die with {_shown(sides)} sides: the least is 1 (and d00 is a die from 0 to 99)", at=at)
        return 1, self.count(sides, MAX_SIDES, "sides", at=at)

    def pool_term(self, match: re.Match[str], sign: int) -> None:
        """Read a share of the pool: test dice first, then +B, -P and further test dice (B-04)."""
        written, letter = match[1], match[2]
        start = match.start()
        if not written:
            self.refuse(f'"{match[2]}" needs sides behind it, as in d6, or a number before it, as in 4D+2B', at=start)
        if self.pool_place is None:
            if letter != "d":
                self.refuse("a pool begins with its test dice, as in 4D+2B-1P", at=start)
            self.pool_place = len(self.terms)
        if sign != (-1 if letter == "p" else 1):
            self.refuse("in a pool dice are added as +1D or +1B, and taken away by penalty dice as -1P", at=start)
        number = self.count(written, MAX_DICE, "dice", at=start)
        test, bonus, penalty = self.pool.test, self.pool.bonus, self.pool.penalty
        if letter == "d":
            self.pool = Pool(test + number, bonus, penalty)
        elif letter == "b":
            self.pool = Pool(test, bonus + number, penalty)
        else:
            self.pool = Pool(test, bonus, self.within(penalty + number, MAX_DICE, "penalty dice", at=start))
            return
        self.weigh(number, 6 * number, drops=True, at=start)

    def add(self, term: Throw | DigitDice, *, at: int | None = None) -> None:
        """Take a term in, unless it would break a limit."""
        faces = term.faces()
        drops = isinstance(term, Throw) and term.keep < term.count
        self.weigh(len(faces), sum(high - low + 1 for low, high in faces), drops=drops, at=at)
        self.terms.append(term)

    def weigh(self, dice: int, sides: int, *, drops: bool, at: int | None) -> None:
        """Count dice and their sides against the limits of one expression."""
        self.dice = self.within(self.dice + dice, MAX_DICE, "dice in one expression", at=at)
        self.sides = self.within(self.sides + sides, MAX_FACES, "sides in one expression", at=at)
        sorted_sides = self.sorted_sides + (sides if drops else 0)
        self.sorted_sides = self.within(sorted_sides, MAX_FACES_SORTED, "sides where dice are dropped", at=at)

    def finish(self) -> Dice:
        """Put the pool in its place and write the canonical text."""
        if self.pool_place is not None:
            self.terms.insert(self.pool_place, self.pool)
        self.within(abs(self.constant), MAX_NUMBER, "as the sum of the numbers")
        return Dice(_canonical(self.terms, self.constant), tuple(self.terms), self.constant)

    # What may follow the dice

    def target(self) -> Target | None:
        """Read a target number if one stands here."""
        if self.peek() not in _COMPARES:
            return None
        match = re.match(_TARGET, self.plain[self.at :])
        if match is None:
            self.refuse("a target is <=, >=, < or > and a whole number, as in <= 45")
        number = self.count(match[3], MAX_NUMBER, "as a target", at=self.at + match.start(3))
        self.at += match.end()
        return Target(_TESTS[match[1]], -number if match[2] == "-" else number)

    def label(self) -> str:
        """Take the rest as the label, once it cannot be mistaken for dice."""
        self.skip_spaces()
        if self.at_end():
            return ""
        if self.peek() == "#":
            self.at += 1
            return self.clean_label()
        if not self.plain[self.at - 1].isspace():
            self.refuse_rest()
        rest = self.plain[self.at :]
        if found := re.match(_OPENS_LIKE_DICE, rest) or re.search(_HOLDS_DICE, rest):
            told = "unclear: is this a part of the dice or of the label? Put # before the label"
            self.refuse(told, at=self.at + found.start())
        return self.clean_label()

    def clean_label(self) -> str:
        """Take the rest as it was typed, without the spaces around it."""
        for place, char in enumerate(self.text[self.at :], start=self.at):
            if _breaks_text(char):
                self.refuse(f"a label is plain text on one line, without {_shown(char)}", at=place)
        return self.text[self.at :].strip()


def _canonical(terms: Sequence[DiceTerm], constant: int) -> str:
    """Write the terms in order; the number goes last, or first where the text would begin with a minus before dice."""
    parts = "".join(f"{'-' if term.sign < 0 else '+'}{term}" for term in terms)
    if not terms or terms[0].sign < 0:
        return f"{constant}{parts}"
    return parts[1:] + (f"{constant:+d}" if constant else "")


def _shown(text: str) -> str:
    """Quote user text in a message: short, on one line, nothing invisible."""
    short = text if len(text) <= 40 else text[:39] + "…"
    return "".join(char if char.isprintable() else f"<U+{ord(char):04X}>" for char in short)


def _breaks_text(char: str) -> bool:
    """Tell whether a character would break a line, a terminal or an encoding: controls, line ends, surrogates."""
    code = ord(char)
    return (code < 0x20 and char != "\t") or 0x7F <= code < 0xA0 or code in (0x2028, 0x2029) or 0xD800 <= code < 0xE000
