"""Odds of very many rolls together, where fractions of a hundred thousand digits would serve nobody.

Weights are whole numbers here too, but only their leading digits are kept: what falls away is less than one part in
2**160 of the likeliest result at each step, so that dozens of digits of every chance that can be shown are right. Up to
a few hundred rolls nothing is cut at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heappush

from projections.dice.odds import Distribution, poisson_binomial, sum_of

BITS = 160
EXACT_CHECKS = 200
"""Up to so many checks the odds are worked out without cutting anything."""
MAX_SPAN = 20_000
"""How far the greatest sum of many rolls may lie from the least, for the odds of every sum to be worked out."""
LEAST = Fraction(1, 2**BITS)
"""What is rarer than this is told as this."""


def narrowed(one: Distribution) -> Distribution:
    """Keep the leading digits of the weights, and drop the ends that come to nothing."""
    surplus = max(one.weights).bit_length() - BITS
    if surplus <= 0:
        return one
    weights = [weight >> surplus for weight in one.weights]
    first = next(place for place, weight in enumerate(weights) if weight)
    last = next(place for place in range(len(weights), 0, -1) if weights[place - 1])
    return Distribution(one.low + first, tuple(weights[first:last]))


def many_equal(trials: int, chance: Fraction) -> Distribution:
    """Tell how many of many equal checks succeed: only the results that can be told from never are listed.

    >>> from projections.dice.odds import binomial, significant
    >>> significant(many_equal(40, Fraction(1, 3)).chance_at_most(9), 9)
    '0.0965714272'
    >>> significant(binomial(40, Fraction(1, 3)).chance_at_most(9), 9)
    '0.0965714272'
    """
    hit, miss = chance.numerator, chance.denominator - chance.numerator
    if hit == 0 or miss == 0 or trials == 0:
        return Distribution(trials if miss == 0 else 0, (1,))
    peak = min((trials + 1) * hit // (hit + miss), trials)
    above, below = [1 << BITS], []
    for hits in range(peak, trials):
        weight = above[-1] * (trials - hits) * hit // ((hits + 1) * miss)
        if not weight:
            break
        above.append(weight)
    weight = above[0]
    for hits in range(peak, 0, -1):
        weight = weight * hits * miss // ((trials - hits + 1) * hit)
        if not weight:
            break
        below.append(weight)
    return Distribution(peak - len(below), (*reversed(below), *above))


def successes(counted: Mapping[Fraction, int]) -> Distribution:
    """Tell how many of any number of checks succeed, given how many there are of each chance."""
    if sum(counted.values()) <= EXACT_CHECKS:
        return poisson_binomial(Counter(counted).elements())
    return _together([many_equal(times, chance) for chance, times in counted.items()])


def total_of(counted: Mapping[Distribution, int]) -> Distribution | None:
    """Tell what so many of each roll come to together; None where their span is more than `MAX_SPAN`."""
    if sum(times * (len(one.weights) - 1) for one, times in counted.items()) > MAX_SPAN:
        return None
    return _together([_times(one, times) for one, times in counted.items()] or [Distribution(0, (1,))])


def _times(one: Distribution, times: int) -> Distribution:
    """Add a roll to itself so many times, by doubling."""
    result = Distribution(0, (1,))
    while times:
        if times % 2:
            result = narrowed(sum_of(result, one))
        times //= 2
        if times:
            one = narrowed(sum_of(one, one))
    return result


def _together(parts: Sequence[Distribution]) -> Distribution:
    """Add results up, the shortest lists first."""
    heap = [(len(part.weights), place, part) for place, part in enumerate(parts)]
    heapify(heap)
    place = len(heap)
    while len(heap) > 1:
        both = narrowed(sum_of(heappop(heap)[2], heappop(heap)[2]))
        heappush(heap, (len(both.weights), place, both))
        place += 1
    return heap[0][2]


def run_at_least(chances: Sequence[tuple[int, int]], length: int) -> Fraction:
    """Give the chance that checks in this order hold a run of `length` or more successes on end.

    Unlike `odds.longest_run` it takes a chance (of, out_of) for each check. Cost: checks times length. Raises
    ValueError for a run shorter than 1.

    >>> from projections.dice.odds import significant
    >>> significant(run_at_least([(1, 2)] * 40, 5))
    '0.4679'
    """
    if length < 1:
        raise ValueError(f"a run of {length}: the least is 1")
    running = [1 << BITS] + [0] * (length - 1)  # by how long the run is just now, none having been long enough yet
    there = 0
    for of, out_of in chances:
        grown = [weight * of // out_of for weight in running]
        there += grown.pop()
        running = [(1 << BITS) - there - sum(grown), *grown]
    return Fraction(there, 1 << BITS)
