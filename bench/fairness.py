"""How often fair campaigns are flagged, and how often a loaded die is found: a seeded experiment.

Promises: at most 5 % of fair campaigns flagged (20 players, 60 six-sided dice each); a die with P(6) = 1/3 found in at
least 95 % of campaigns of 300 throws. Run it as `python -m bench.fairness [CAMPAIGNS]`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from random import Random

from projections.dice.fairness import FairnessReport, report_fairness
from projections.dice.ledger import Entry

SEED = 20_261_130
LOADED = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, *[6] * 5]
"""Fifteen equally likely cases: 6 in five of them, each other face in two."""


def thrown(seat: str, notation: str, faces: Sequence[int]) -> Entry:
    """Return one imported roll."""
    kept = (True,) * len(faces)
    return Entry("b", "main", None, None, seat, "", "", "", notation, tuple(faces), kept, sum(faces), "imported")


def fair_campaign(random: Random, players: int, dice: int, sides: int) -> FairnessReport:
    """Test players who each throw so many fair dice, five at a time."""
    return report_fairness(
        thrown(f"player {player}", f"5d{sides}", [random.randint(1, sides) for _ in range(5)])
        for player in range(players)
        for _ in range(dice // 5)
    )


def loaded_campaign(random: Random, others: int) -> FairnessReport:
    """Test one player who throws a loaded die 300 times, among others who throw fair dice."""
    loaded = [thrown("loader", "1d6", [random.choice(LOADED)]) for _ in range(300)]
    fair = [
        thrown(f"player {player}", "1d6", [random.randint(1, 6)]) for player in range(others) for _ in range(300)
    ]  # fmt: skip
    return report_fairness(loaded + fair)


def main(campaigns: int) -> None:
    """Run the experiment and print what came out."""
    random = Random(SEED)
    print(f"{campaigns} campaigns of each sort, seed {SEED}")
    for players, dice, sides in [(20, 60, 6), (4, 300, 6), (4, 300, 10), (4, 300, 100), (2, 1500, 20)]:
        reports = [fair_campaign(random, players, dice, sides) for _ in range(campaigns)]
        flagged = _share(sum(bool(report.flagged) for report in reports), campaigns)
        tests = len(reports[0].tests)
        print(f"fair: {players} players, {dice}d{sides} each, {tests} tests: {flagged} flagged (at most 5 %)")
    for others in (0, 19):
        found = sum(
            any(test.source == "loader" for test in loaded_campaign(random, others).flagged) for _ in range(campaigns)
        )
        print(f"P(6) = 1/3, 300 throws, among {others} fair players: {_share(found, campaigns)} found (at least 95 %)")


def _share(of: int, out_of: int) -> str:
    return f"{of} of {out_of} = {1000 * of // out_of / 10} %"


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
