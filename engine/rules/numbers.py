"""Numbers of a table, exactly: no float is made on the way from the file to the figure or back to text."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

_DECIMAL: Final = re.compile(r"[+-]?[0-9_]{1,20}\.[0-9_]{1,20}")
_RATIO: Final = re.compile(r"-?[0-9]{1,20}(/0*[1-9][0-9]{0,19})?")


def exact_number(text: str) -> int | Fraction:
    """The number written as a decimal fraction; an int when it is whole, so that 1.0 and 1 are the same figure.

    Raises ValueError for what is not one: `inf`, `nan`, powers of ten such as `1e3`, or more than twenty digits.

    >>> exact_number("0.1"), exact_number("2.0")
    (Fraction(1, 10), 2)
    """
    if not _DECIMAL.fullmatch(text):
        raise ValueError(f"{text[:30]} is no figure for a table; write a whole number or one such as 0.5")
    number = Fraction(text.replace("_", ""))
    return number.numerator if number.denominator == 1 else number


def decimal_text(number: Fraction) -> str:
    """The shortest decimal fraction that is exactly `number`. Raises ValueError when none is, as for a third.

    >>> decimal_text(Fraction(-3, 40))
    '-0.075'
    """
    top, bottom = abs(number.numerator), number.denominator
    places = next((k for k in range(bottom.bit_length()) if 10**k % bottom == 0), None)
    if places is None:
        raise ValueError(f"{number} is no decimal fraction")
    digits = str(top * 10**places // bottom).rjust(places + 1, "0")
    sign = "-" if number < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def as_fraction(wanted: type, value: object) -> object:
    """A Fraction from a figure of a table: a number, or a text such as `3/2`. Decoding hook for msgspec.

    >>> as_fraction(Fraction, "3/2")
    Fraction(3, 2)
    """
    if wanted is Fraction and isinstance(value, int | Fraction) and not isinstance(value, bool):
        return Fraction(value)
    if wanted is Fraction and isinstance(value, str) and _RATIO.fullmatch(value):
        return Fraction(value)
    raise ValueError(f"Expected `Fraction`, got `{type(value).__name__}`")
