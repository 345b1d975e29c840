"""Exact odds: how likely is each result of a roll, of several checks together, of a run of luck.

Weights are whole numbers and chances are fractions, so nothing is rounded before it is shown; `percent`, `significant`
and `about_one_in` show it. They round half to even, by integer arithmetic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import comb

from msgspec import Struct

from events.dice.notation import Dice, DigitDice, Pool, Target, Throw


class Distribution(Struct, frozen=True, gc=False):
    """How many of the equally likely cases give each result: `weights[0]` for `low`, then upwards one by one."""

    low: int
    weights: tuple[int, ...]

    @property
    def high(self) -> int:
        """The highest result listed."""
        return self.low + len(self.weights) - 1

    @property
    def cases(self) -> int:
        """All equally likely cases together: for dice, the product of their sides."""
        return sum(self.weights)

    def chance_at_most(self, number: int) -> Fraction:
        """Give the chance of `number` or less, exactly.

        >>> from events.dice.notation import parse
        >>> distribution(parse("1d100")).chance_at_most(45)
        Fraction(9, 20)
        """
        return Fraction(sum(self.weights[: max(number - self.low + 1, 0)]), self.cases)

    def chance_below(self, number: int) -> Fraction:
        """Give the chance of less than `number`."""
        return self.chance_at_most(number - 1)

    def chance_at_least(self, number: int) -> Fraction:
        """Give the chance of `number` or more.

        >>> from events.dice.notation import parse
        >>> distribution(parse("4D+2B")).chance_at_least(15)
        Fraction(37919, 46656)
        """
        return Fraction(sum(self.weights[max(number - self.low, 0) :]), self.cases)

    def chance_above(self, number: int) -> Fraction:
        """Give the chance of more than `number`."""
        return self.chance_at_least(number + 1)

    def chance_exactly(self, number: int) -> Fraction:
        """Give the chance of just `number`."""
        place = number - self.low
        return Fraction(self.weights[place] if 0 <= place < len(self.weights) else 0, self.cases)

    def chance_between(self, least: int, most: int) -> Fraction:
        """Give the chance of a result from `least` to `most`, both included."""
        start = max(least - self.low, 0)
        return Fraction(sum(self.weights[start : max(most - self.low + 1, start)]), self.cases)

    def chance_of(self, target: Target) -> Fraction:
        """Give the chance to meet a target."""
        match target.test:
            case "at_most":
                return self.chance_at_most(target.number)
            case "below":
                return self.chance_below(target.number)
            case "at_least":
                return self.chance_at_least(target.number)
            case "above":
                return self.chance_above(target.number)

    def mean(self) -> Fraction:
        """Give the average result."""
        return self.low + Fraction(sum(place * weight for place, weight in enumerate(self.weights)), self.cases)

    def variance(self) -> Fraction:
        """Give the average squared distance from the mean: the square of the standard deviation."""
        cases = self.cases
        first = sum(place * weight for place, weight in enumerate(self.weights))
        second = sum(place * place * weight for place, weight in enumerate(self.weights))
        return Fraction(second * cases - first * first, cases * cases)

    def quantile(self, share: Fraction) -> int:
        """Give the least result that has at least `share` of the cases at or below it; `share` lies in 0 .. 1.

        >>> from events.dice.notation import parse
        >>> distribution(parse("2d6")).quantile(Fraction(1, 2))
        7
        """
        if not 0 <= share <= 1:
            raise ValueError(f"a share of the cases lies between 0 and 1, not at {share}")
        wanted = share * self.cases
        sums = accumulate(self.weights)
        return self.low + next(place for place, below in enumerate(sums) if below and below >= wanted)

    def quantiles(self, shares: Iterable[Fraction]) -> tuple[int, ...]:
        """Give the quantile of each share."""
        return tuple(self.quantile(share) for share in shares)


@lru_cache(maxsize=256)
def distribution(dice: Dice) -> Distribution:
    """Work out the exact distribution of what the dice come to, and keep it for the next time.

    The limits of the notation bound the cost: 100d10 takes some ms, the worst that can be written some 200.
    """
    low, weights = dice.constant, [1]
    for term in dice.terms:
        throw = term.throw() if isinstance(term, Pool) else term
        if isinstance(throw, Throw) and throw.keep == throw.count:
            low += throw.count * (throw.low if throw.sign > 0 else -throw.high)
            weights = _with_more_dice(weights, throw.count, throw.high - throw.low + 1)
        else:
            part = _of_digits() if isinstance(throw, DigitDice) else _of_kept(throw)
            part = part if throw.sign > 0 else _negative(part)
            low += part.low
            weights = _convolve(weights, part.weights)
    return Distribution(low, tuple(weights))


@lru_cache(maxsize=4096)
def chance_to_meet(dice: Dice, target: Target) -> Fraction:
    """Give the chance that the dice meet the target; kept for the next time.

    >>> from events.dice.notation import parse
    >>> chance_to_meet(parse("1d100"), Target("at_most", 45))
    Fraction(9, 20)
    """
    return distribution(dice).chance_of(target)


def sum_of(one: Distribution, other: Distribution) -> Distribution:
    """Add two results that do not depend on each other."""
    return Distribution(one.low + other.low, tuple(_convolve(one.weights, other.weights)))


def difference(one: Distribution, other: Distribution) -> Distribution:
    """Take the second result from the first: above 0 the first wins an opposed roll, 0 is a tie.

    >>> from events.dice.notation import parse
    >>> d10 = distribution(parse("1d10"))
    >>> difference(d10, d10).chance_above(0)
    Fraction(9, 20)
    """
    return sum_of(one, _negative(other))


def binomial(trials: int, chance: Fraction) -> Distribution:
    """Tell how many of equal checks succeed; the tails are `chance_at_most` and `chance_at_least`.

    Raises ValueError for a chance outside 0 .. 1 or fewer than 0 trials.

    >>> binomial(3, Fraction(1, 2)).weights
    (1, 3, 3, 1)
    """
    _check_chance(chance)
    if trials < 0:
        raise ValueError(f"{trials} trials: the least is 0")
    hit, miss = chance.numerator, chance.denominator - chance.numerator
    if miss == 0:
        return Distribution(0, (0,) * trials + (1,))
    weights = [miss**trials]
    for hits in range(1, trials + 1):  # each from the one before: there is one hit more and one miss less
        weights.append(weights[-1] * (trials - hits + 1) * hit // (hits * miss))
    return Distribution(0, tuple(weights))


def poisson_binomial(chances: Iterable[Fraction]) -> Distribution:
    """Tell how many of several checks succeed, each with a chance of its own. Raises ValueError for a bad chance.

    Equal chances are taken together; the rest is multiplied pairwise, so a thousand d100 checks take some tenths of a
    second.

    >>> sides = [Fraction(4, 6)] * 5 + [Fraction(3, 6)] * 14
    >>> significant(poisson_binomial(sides).chance_at_most(5), 6)
    '0.0117285'
    """
    counted = Counter(chances)
    parts = [binomial(times, chance) for chance, times in counted.items()] or [Distribution(0, (1,))]
    while len(parts) > 1:
        parts = [sum_of(*parts[i : i + 2]) if i + 1 < len(parts) else parts[i] for i in range(0, len(parts), 2)]
    return parts[0]


def longest_run(chance: Fraction, trials: int, at_least: int) -> Fraction:
    """Give the chance that `trials` equal checks hold a run of `at_least` or more successes on end. Cost: O(trials).

    Raises ValueError for a chance outside 0 .. 1, fewer than 0 trials or a run shorter than 1.

    >>> significant(longest_run(Fraction(1, 2), 40, at_least=5), 3)
    '0.468'
    """
    _check_chance(chance)
    if trials < 0 or at_least < 1:
        raise ValueError(f"a run of {at_least} in {trials} trials: the least is a run of 1 in 0 trials")
    if at_least > trials:
        return Fraction(0)
    cases, hits = chance.denominator, chance.numerator
    run_and_miss = hits**at_least * (cases - hits)
    # without[n] counts the cases of n trials that hold no such run: those whose first n - 1 hold none, less those whose
    # first run ends just at trial n, which is trials without a run, a miss, and then the hits of the run.
    without = [cases**n for n in range(at_least)]
    without.append(cases**at_least - hits**at_least)
    for n in range(at_least + 1, trials + 1):
        without.append(cases * without[n - 1] - run_and_miss * without[n - at_least - 1])
    return 1 - Fraction(without[trials], cases**trials)


def percent(chance: Fraction, digits: int = 2) -> str:
    """Show a chance in per cent. What is possible never shows as 0 %, nor what is not sure as 100 %.

    >>> percent(Fraction(1, 3)), percent(Fraction(1, 6**20)), percent(Fraction(1))
    ('33.33%', '<0.01%', '100.00%')
    """
    scale = 10**digits
    shown = round(chance * 100 * scale)
    if shown <= 0 < chance:
        return f"<{_decimal(1, digits)}%"
    if shown >= 100 * scale and chance < 1:
        return f">{_decimal(100 * scale - 1, digits)}%"
    return f"{_decimal(shown, digits)}%"


def significant(value: Fraction, digits: int = 4) -> str:
    """Show a number of 0 or more to so many significant digits; below 1/1000 with a power of ten.

    >>> significant(Fraction(1, 3)), significant(Fraction(1, 6**6)), significant(Fraction(31, 3))
    ('0.3333', '2.143e-5', '10.33')
    """
    if value <= 0:
        return "0"
    power = _power_of_ten(value)
    figures = round(value * Fraction(10) ** (digits - 1 - power))
    if figures == 10**digits:  # rounding has carried into the next power of ten
        figures //= 10
        power += 1
    if power < -3 or power >= 15:
        return f"{_decimal(figures, digits - 1)}e{power}"
    places = digits - 1 - power
    return _decimal(figures, places) if places >= 0 else str(figures * 10**-places)


def about_one_in(chance: Fraction) -> str:
    """Show a chance as people say it; "about" stands where it is not exact.

    >>> about_one_in(Fraction(1, 6)), about_one_in(Fraction(117285, 10**7)), about_one_in(Fraction(99, 100))
    ('1 in 6', 'about 1 in 85', 'all but 1 in 100')
    """
    if chance <= 0:
        return "never"
    if chance >= 1:
        return "always"
    if chance.denominator <= 10 or chance.numerator == 1:
        return f"{chance.numerator} in {_large(chance.denominator)}"
    if chance <= Fraction(1, 4):
        return f"about 1 in {_about(round(1 / chance))}"
    if chance >= Fraction(3, 4):
        return f"all but {about_one_in(1 - chance)}"
    return f"about {round(10 * chance)} in 10"


# How the weights come about


def _of_digits() -> Distribution:
    low, high = 11, 66
    return Distribution(low, tuple(int(1 <= number % 10 <= 6) for number in range(low, high + 1)))


def _of_kept(throw: Throw) -> Distribution:
    weights = _highest(throw.count, throw.high - throw.low + 1, throw.keep)
    if throw.lowest:
        weights.reverse()  # as if every die lay upside down
    return Distribution(throw.low * throw.keep, tuple(weights))


def _with_more_dice(weights: list[int], count: int, sides: int) -> list[int]:
    for _ in range(count):
        weights = _with_one_more(weights, sides)
    return weights


def _with_one_more(weights: list[int], sides: int) -> list[int]:
    """Add one die that shows 0 .. sides - 1: each new weight is the sum of a window of `sides` old ones."""
    gap = [0] * sides
    return list(accumulate(new - old for new, old in zip(weights + gap, gap + weights, strict=True)))[:-1]


def _highest(count: int, sides: int, keep: int) -> list[int]:
    """Weigh the sums of the `keep` highest of `count` dice that show 0 .. sides - 1.

    The cases are told apart by the lowest face kept and by how many dice show more than that. Those dice are a plain
    throw of their own; the rest of the kept ones show the lowest face kept; and the dropped ones no more than that.
    """
    weights = [0] * (keep * (sides - 1) + 1)
    if keep == 0:
        return [sides**count]
    for lowest in range(sides):
        faces_above = sides - 1 - lowest
        above = [1]
        for dice_above in range(keep if faces_above else 1):
            if dice_above:
                above = _with_one_more(above, faces_above)
            others = count - dice_above
            ways = comb(count, dice_above) * sum(
                comb(others, equal) * lowest ** (others - equal) for equal in range(keep - dice_above, others + 1)
            )
            start = lowest * keep + dice_above
            for place, weight in enumerate(above, start=start):
                weights[place] += ways * weight
    return weights


def _negative(one: Distribution) -> Distribution:
    return Distribution(-one.high, one.weights[::-1])


def _convolve(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Multiply two rows of weights as polynomials.

    Each row is laid out in one long number, with room for the greatest weight that can come out, so that a single
    multiplication of whole numbers does all the work.
    """
    if len(one) == 1 or len(other) == 1:
        few, many = (one, other) if len(one) == 1 else (other, one)
        return [few[0] * weight for weight in many]
    width = (((sum(one) + 1) * (sum(other) + 1)).bit_length() + 7) // 8
    product = _laid_out(one, width) * _laid_out(other, width)
    length = len(one) + len(other) - 1
    laid = product.to_bytes(width * length, "little")
    return [int.from_bytes(laid[at : at + width], "little") for at in range(0, width * length, width)]


def _laid_out(weights: Sequence[int], width: int) -> int:
    return int.from_bytes(b"".join(weight.to_bytes(width, "little") for weight in weights), "little")


def _check_chance(chance: Fraction) -> None:
    if not 0 <= chance <= 1:
        raise ValueError(f"a chance lies between 0 and 1, not at {chance}")


# How they are shown


def _decimal(figures: int, places: int) -> str:
    """Set the decimal point: 12345 with 2 places is 123.45."""
    if places <= 0:
        return str(figures)
    digits = str(figures).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"


def _power_of_ten(value: Fraction) -> int:
    """Find the power of ten at or below a value above 0, without writing out its digits."""
    power = (value.numerator.bit_length() - value.denominator.bit_length()) * 30103 // 100_000
    while Fraction(10) ** power > value:
        power -= 1
    while Fraction(10) ** (power + 1) <= value:
        power += 1
    return power


def _large(number: int) -> str:
    """Show a whole number with its thousands set apart, and one beyond counting as a power of ten."""
    return f"{number:,}" if number < 10**15 else significant(Fraction(number), 3)


def _about(number: int) -> str:
    """Show a rounded number: from 10,000 up three figures tell enough."""
    return _large(number if number < 10_000 else round(number, 3 - len(str(number))) if number < 10**15 else number)
