"""Sines, cosines and nearest degrees in integers: the only angles that the field knows.

A bearing is a whole number of degrees clockwise from north (+y). Nothing here is a float, so every machine agrees on
every rounding.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

SCALE = 10**12
"""What a sine or cosine of 1 is written as."""

_FINE = 10**40
_PI = 31415926535897932384626433832795028841971  # in units of 1 / _FINE, rounded down
_DOUBT = 10**6  # far above the error of `_fine_sine`, which is under 100 units of 1 / _FINE


def sine(degrees: int) -> int:
    """The sine of a whole number of degrees, times `SCALE`, rounded towards zero.

    Exact at multiples of 90 and wherever it is a half. Rounding towards zero means that a step made of a sine and a
    cosine is never longer than it should be. Any integer is taken; 370 means 10.

    >>> sine(30), sine(90), sine(210)
    (500000000000, 1000000000000, -500000000000)
    """
    return _sines()[degrees % 360]


def cosine(degrees: int) -> int:
    """The cosine of a whole number of degrees, times `SCALE`, rounded towards zero. See `sine`.

    >>> cosine(0), cosine(60), cosine(45)
    (1000000000000, 500000000000, 707106781186)
    """
    return _sines()[(degrees + 90) % 360]


def degrees_of_slope(rise: int, run: int) -> int:
    """The angle whose tangent is `rise / run`, to the nearest whole degree, 0 to 45.

    The caller sees to it that `0 <= rise <= run` and `run > 0`. Exact for integers of any size: the tangent of half a
    degree, one and a half and so on is never rational, so there are no ties, and a slope too near to one of them for
    the table is settled by `_is_beyond`.
    Source: the rational tangents of rational angles are 0, 1 and -1 (I. Niven, Irrational Numbers, 1956).

    >>> degrees_of_slope(0, 5), degrees_of_slope(5, 5), degrees_of_slope(1000, 1732)
    (0, 45, 30)
    """
    limits = _half_degree_tangents()
    slope = rise * SCALE // run
    passed = bisect_right(limits, slope)
    if passed and limits[passed - 1] == slope and not _is_beyond(rise, run):
        return passed - 1
    return passed


@lru_cache(maxsize=1)
def _sines() -> tuple[int, ...]:
    """The sines of 0 to 359 degrees, times `SCALE`, rounded towards zero."""
    quarter = [(_fine_sine(2 * degrees) + _DOUBT) * SCALE // _FINE for degrees in range(91)]
    half = quarter + quarter[89:0:-1]
    return (*half, *(-value for value in half))


@lru_cache(maxsize=1)
def _half_degree_tangents() -> tuple[int, ...]:
    """The tangents of 0.5, 1.5 ... 44.5 degrees, times `SCALE`, rounded down."""
    return tuple(_fine_sine(odd) * SCALE // _fine_sine(180 - odd) for odd in range(1, 90, 2))


def _fine_sine(half_degrees: int) -> int:
    """The sine of 0 to 180 half degrees, times `_FINE`, by its power series; wrong by less than 100 units."""
    angle = _PI * half_degrees // 360
    square = angle * angle // _FINE
    total, term, power = 0, angle, 1
    while term:
        total += term if power % 4 == 1 else -term
        term = term * square // (_FINE * (power + 1) * (power + 2))
        power += 2
    return total


def _is_beyond(rise: int, run: int) -> bool:
    """Whether a slope that lies within 1 / `SCALE` of some k + 1/2 degrees is above it; exact.

    Raising `run + rise i` to the 360th power turns its angle into 360 times as much, k + 1/2 degrees into an odd number
    of half turns. A slope a hair beyond lands just past the negative real axis, where the imaginary part is negative.
    """
    real, imaginary = 1, 0
    for bit in f"{360:b}":
        real, imaginary = real * real - imaginary * imaginary, 2 * real * imaginary
        if bit == "1":
            real, imaginary = real * run - imaginary * rise, real * rise + imaginary * run
    return imaginary < 0
