"""Dice as things on a table: which are thrown, which of them count, and what the thrown faces come to.

`events.dice.notation` reads these from text and makes them; the text of a `Dice` is its canonical notation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct

from events.errors import DiaryError


class NotationError(DiaryError, ValueError):
    """A dice expression cannot be read or is over the limits."""

    code = "dice/notation"

    def __init__(self, text: str, message: str, column: int = 0) -> None:
        super().__init__(message)
        self.text = text
        self.column = column


class Throw(Struct, frozen=True, gc=False, tag="throw"):
    """`count` equal dice with faces `low` to `high`, of which the `keep` highest (or `lowest`) count."""

    count: int
    low: int
    high: int
    keep: int
    lowest: bool = False
    sign: int = 1

    def faces(self) -> tuple[tuple[int, int], ...]:
        """Give the lowest and highest face of each die to be thrown, in order."""
        return ((self.low, self.high),) * self.count

    def kept(self, faces: Sequence[int]) -> tuple[bool, ...]:
        """Tell for each die whether it counts. Of equal dice the earlier one is kept."""
        if self.keep == self.count:
            return (True,) * self.count
        # sorted() is stable, also in reverse: equal faces stay in the order thrown.
        ranked = sorted(range(self.count), key=faces.__getitem__, reverse=not self.lowest)
        chosen = set(ranked[: self.keep])
        return tuple(die in chosen for die in range(self.count))

    def worth(self, faces: Sequence[int]) -> int:
        """Add up the dice that are kept; the sign is not applied."""
        return sum(face for face, kept in zip(faces, self.kept(faces), strict=True) if kept)

    def __str__(self) -> str:
        sides = "00" if self.low == 0 else str(self.high)
        kept = "" if self.keep == self.count else f"k{'l' if self.lowest else ''}{self.keep}"
        return f"{self.count}d{sides}{kept}"


class Pool(Struct, frozen=True, gc=False, tag="pool"):
    """A pool of six-sided dice: test, bonus and penalty dice (rules B-02, B-03, B-07).

    Test and bonus dice are thrown together and the best are kept, as many as there are test dice; each penalty die
    takes one more from those kept and leaves the throw as it is. With as many penalty as test dice none is kept and the
    pool comes to 0; that this is a failure is for the rules to say.
    """

    test: int
    bonus: int = 0
    penalty: int = 0
    sign: ClassVar[int] = 1

    def throw(self) -> Throw:
        """Give the same dice as a plain throw that keeps the highest."""
        return Throw(self.test + self.bonus, 1, 6, max(self.test - self.penalty, 0))

    def faces(self) -> tuple[tuple[int, int], ...]:
        """Give the lowest and highest face of each die to be thrown, test dice first."""
        return self.throw().faces()

    def kept(self, faces: Sequence[int]) -> tuple[bool, ...]:
        """Tell for each die whether it counts. Of equal dice the earlier one is kept."""
        return self.throw().kept(faces)

    def worth(self, faces: Sequence[int]) -> int:
        """Add up the dice that are kept."""
        return self.throw().worth(faces)

    def __str__(self) -> str:
        bonus = f"+{self.bonus}B" if self.bonus else ""
        penalty = f"-{self.penalty}P" if self.penalty else ""
        return f"{self.test}D{bonus}{penalty}"


class DigitDice(Struct, frozen=True, gc=False, tag="d66"):
    """`d66`: two six-sided dice, the first read as tens and the second as units."""

    sign: int = 1

    def faces(self) -> tuple[tuple[int, int], ...]:
        """Give the faces of the two dice."""
        return ((1, 6), (1, 6))

    def kept(self, faces: Sequence[int]) -> tuple[bool, ...]:
        """Tell that both dice count."""
        return (True, True)

    def worth(self, faces: Sequence[int]) -> int:
        """Read the two faces as one number."""
        tens, units = faces
        return 10 * tens + units

    def __str__(self) -> str:
        return "d66"


DiceTerm: TypeAlias = Throw | Pool | DigitDice


class Dice(Struct, frozen=True, gc=False):
    """A sum of dice and one whole number, as `parse` reads it. `text` is its canonical form."""

    text: str
    terms: tuple[DiceTerm, ...]
    constant: int = 0

    def __str__(self) -> str:
        return self.text

    def faces(self) -> tuple[tuple[int, int], ...]:
        """Give the lowest and highest face of every die to be thrown, in the order of throwing.

        >>> Dice("1d6+1d00", (Throw(1, 1, 6, 1), Throw(1, 0, 99, 1))).faces()
        ((1, 6), (0, 99))
        """
        return tuple(die for term in self.terms for die in term.faces())

    def check_faces(self, faces: Sequence[int]) -> None:
        """Raise NotationError unless `faces` has one possible face for each die.

        >>> Dice("3d6", (Throw(3, 1, 6, 3),)).check_faces([6, 6, 7])
        Traceback (most recent call last):
        ...
        events.dice.expression.NotationError: dice "3d6": die 3 of 3 shows 7, but its faces are 1 to 6
        """
        dice = self.faces()
        if len(faces) != len(dice):
            wanted = "1 face is" if len(dice) == 1 else f"{len(dice)} faces are"
            raise NotationError(self.text, f'dice "{self.text}": {wanted} needed, {len(faces)} given')
        for place, ((low, high), face) in enumerate(zip(dice, faces, strict=True), start=1):
            if type(face) is not int or not low <= face <= high:
                told = f"die {place} of {len(dice)} shows {face}, but its faces are {low} to {high}"
                raise NotationError(self.text, f'dice "{self.text}": {told}')

    def kept(self, faces: Sequence[int]) -> tuple[bool, ...]:
        """Tell for each thrown die whether it counts; raises NotationError if the faces do not fit.

        >>> Dice("4d6k3", (Throw(4, 1, 6, 3),)).kept([2, 5, 2, 6])
        (True, True, False, True)
        """
        return tuple(kept for term, share in self._shares(faces) for kept in term.kept(share))

    def total(self, faces: Sequence[int]) -> int:
        """Work out the result of the faces thrown; raises NotationError if they do not fit.

        >>> Dice("1d20-5", (Throw(1, 1, 20, 1),), -5).total([7])
        2
        """
        return self.constant + sum(term.sign * term.worth(share) for term, share in self._shares(faces))

    def _shares(self, faces: Sequence[int]) -> Iterator[tuple[DiceTerm, Sequence[int]]]:
        """Deal the faces out to the terms that they belong to, once they are known to fit."""
        self.check_faces(faces)
        start = 0
        for term in self.terms:
            end = start + len(term.faces())
            yield term, faces[start:end]
            start = end


Test: TypeAlias = Literal["at_most", "below", "at_least", "above"]
_SIGNS: dict[Test, str] = {"at_most": "<=", "below": "<", "at_least": ">=", "above": ">"}


class Target(Struct, frozen=True, gc=False):
    """What a roll must come to: `<= 45` (at most), `< 45` (below), `>= 7` (at least), `> 7` (above)."""

    test: Test
    number: int

    def __str__(self) -> str:
        return f"{_SIGNS[self.test]} {self.number}"

    def met(self, total: int) -> bool:
        """Tell whether a total meets the target.

        >>> Target("at_most", 45).met(45), Target("below", 45).met(45)
        (True, False)
        """
        match self.test:
            case "at_most":
                return total <= self.number
            case "below":
                return total < self.number
            case "at_least":
                return total >= self.number
            case "above":
                return total > self.number


def percent(tens: int, units: int, *, from_zero: bool = False) -> int:
    """Read two ten-sided dice as a percentage: tens 0, 10 .. 90 and units 0 .. 9; double zero is 100.

    With `from_zero`, double zero is 0, as `d00` reads it. Raises NotationError if a die cannot show that.

    >>> percent(0, 0), percent(0, 1), percent(90, 0)
    (100, 1, 90)
    """
    if tens not in range(0, 100, 10):
        raise NotationError(str(tens), f"the tens die shows {tens}, but its faces are 0, 10, 20 .. 90")
    if units not in range(10):
        raise NotationError(str(units), f"the units die shows {units}, but its faces are 0 to 9")
    return tens + units or (0 if from_zero else 100)
