"""Luck in plain words: how rare, in how many battles, among how many things looked at.

No word here says that anybody cheated, and none that nobody did.
"""

from __future__ import annotations

import re
from fractions import Fraction

from events.dice.notation import parse
from projections.dice.luck import Luck, Streak, Sums, verdict
from projections.dice.odds import about_one_in, distribution, percent, significant


def luck_sentence(luck: Luck, *, met: str = "successes", unit: str = "battle") -> str:
    """Tell the luck of some checks in one plain sentence; `met` names what was counted, `unit` what they make up.

    >>> from projections.dice.ledger import Entry
    >>> from projections.dice.luck import Check, luck_of
    >>> roll = Entry("b", "main", 1, 0, "red", "", "to hit", "", "1d6", (2,), (True,), 2, "seeded")
    >>> sides = [(4, 6)] * 5 + [(3, 6)] * 14
    >>> checks = [Check(roll, odds, place < 5, "roll under") for place, odds in enumerate(sides)]
    >>> luck_sentence(luck_of("red", checks), met="hits")  # doctest: +NORMALIZE_WHITESPACE
    '19 checks (roll under), 10.33 hits expected, 5 came;
    5 hits or fewer had a 1.17 % chance, about 1 battle in 85'
    """
    few = luck.at_most <= luck.at_least
    tail, side = (luck.at_most, "or fewer") if few else (luck.at_least, "or more")
    checks = counted(luck.checks, "checks")
    so_many = f"{counted(luck.successes, met)} {side}" if luck.successes else f"no {met}" if few else f"0 {met} {side}"
    return (
        f"{checks} ({', '.join(luck.directions)}), {shown(luck.expected)} {met} expected, {luck.successes} came; "
        f"{so_many} had a {per_cent(tail)} chance, {so_often(tail, unit)}"
    )


_ONE = {"successes": "success", "failures": "failure", "dice": "die"}


def counted(number: int, things: str) -> str:
    """Count things: `1 roll`, `2 rolls`."""
    return f"{number} {_ONE.get(things, things.removesuffix('s')) if number == 1 else things}"


def sums_sentence(sums: Sums) -> str:
    """Tell the totals of rolls that are read in a table in one plain sentence."""
    few = sums.at_most <= sums.at_least
    tail, side = (sums.at_most, "less") if few else (sums.at_least, "more")
    rolls, expected = counted(sums.rolls, "rolls"), shown(sums.expected)
    near = "" if sums.exact else " (by the normal curve)"
    return (
        f"{rolls} read in a table: {sums.total} in all where {expected} was expected; {sums.total} or {side} had "
        f"a {per_cent(tail)} chance{near}; whether high is good the dice do not know"
    )


def streak_sentence(streak: Streak) -> str:
    """Tell a streak in one plain sentence."""
    return (
        f"longest run {counted(streak.length, streak.of)} in {counted(streak.checks, 'checks')}; "
        f"one so long or longer had a {per_cent(streak.rarity)} chance"
    )


def looks_sentence(looks: int) -> str:
    """Say how many things were looked at, and what that does to a chance."""
    things = "1 thing was" if looks == 1 else f"{looks} things were"
    return f"{things} looked at, so a chance of 1 in {20 * looks} is what counts as unusual here"


def range_sentence(notation: str, low: int, high: int) -> str:
    """Tell how often dice come to something from `low` to `high`, to four digits and without simulation.

    >>> range_sentence("40d6", 120, 140)
    '40d6 comes to 120–140 in 48.97 % of throws, about 5 in 10: ordinary'
    """
    chance = distribution(parse(notation)).chance_between(low, high)
    wanted = f"{low}–{high}" if low != high else str(low)
    return f"{notation} comes to {wanted} in {per_cent(chance)} of throws, {about_one_in(chance)}: {verdict(chance)}"


def so_often(chance: Fraction, unit: str = "battle") -> str:
    """Show a chance as people say it, with what it is counted in.

    >>> so_often(Fraction(117285, 10**7)), so_often(Fraction(2, 5))
    ('about 1 battle in 85', '2 battles in 5')
    """
    return re.sub(
        r"(\d+) in ", lambda found: f"{counted(int(found[1]), unit + 's')} in ", about_one_in(chance), count=1
    )


def per_cent(chance: Fraction) -> str:
    """Show a chance in per cent, a small one to three digits that count.

    >>> per_cent(Fraction(117285, 10**7)), per_cent(Fraction(1, 6**6)), per_cent(Fraction(1, 6**20))
    ('1.17 %', '0.00214 %', '2.74e-14 %')
    """
    if 0 < chance < Fraction(1, 1000):
        return f"{significant(chance * 100, 3)} %"
    return percent(chance).replace("%", " %")


def in_so_many(chance: Fraction, unit: str = "battle") -> str:
    """Tell in how many such things one is to be expected.

    >>> in_so_many(Fraction(117285, 10**7))
    'of 85 battles of that size, expect one such'
    """
    return f"of {round(1 / chance):,} {unit}s of that size, expect one such"


def shown(number: Fraction) -> str:
    """Show an expectation with two decimals, rounded half to even.

    >>> shown(Fraction(31, 3)), shown(Fraction(-1, 2))
    ('10.33', '-0.50')
    """
    hundredths = round(number * 100)
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02d}"


def signed(number: Fraction) -> str:
    """Show how far something is above (+) or below (-) expectation.

    >>> signed(Fraction(3, 2)), signed(Fraction(-1, 2)), signed(Fraction(1, 999))
    ('+1.50', '-0.50', '0.00')
    """
    return f"+{shown(number)}" if number >= Fraction(1, 200) and shown(number) != "0.00" else shown(number)
