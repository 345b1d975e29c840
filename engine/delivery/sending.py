"""One attempt to send something, and how it ended if it did not go out for sure."""

from __future__ import annotations

from typing import Literal, TypeAlias

Fate: TypeAlias = Literal["not sent", "unsure", "refused"]
"""`not sent`: certainly not, try again. `unsure`: it may have gone out. `refused`: trying again would not help."""


class SendFailed(Exception):
    """An attempt failed. `wait` is how many seconds the other side asks to wait, 0 if it does not say."""

    def __init__(self, fate: Fate, problem: str, wait: int = 0) -> None:
        super().__init__(problem)
        self.fate = fate
        self.problem = " ".join(problem.split())[:300]
        self.wait = wait
