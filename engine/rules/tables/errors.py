"""What can be wrong with rule tables."""

from __future__ import annotations

from collections.abc import Sequence

from events.errors import DiaryError, did_you_mean


class TablesInvalid(DiaryError, ValueError):
    """A set of rule tables has holes, overlaps, unknown ids or runs in the wrong direction.

    `problems` lists every one found, each with its file and place.
    """

    code = "tables/invalid"

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(" ".join(problem.split()) for problem in problems)
        super().__init__("; ".join(self.problems))


class RowUnknown(DiaryError, KeyError):
    """A rule table has no row of that id. `nearest` holds the ids that come closest."""

    code = "tables/unknown-row"

    def __init__(self, table: str, row: str, nearest: Sequence[str] = ()) -> None:
        super().__init__(f"table {table} has no row {row!r}{did_you_mean(nearest)}")
        self.table = table
        self.row = row
        self.nearest = tuple(nearest)

    def __str__(self) -> str:
        return str(self.args[0])
