"""What to type when something is refused: advice about verbs and options, for errors that say only what is wrong."""

from __future__ import annotations

from collections.abc import Mapping

from events.errors import DiaryError

_BY_CODE: Mapping[str, str] = {
    "battle/waits": "`wardiary roll` or `wardiary rule` gives it",
}
_BY_REASON: Mapping[str, str] = {
    "lapsed": "the referee overrides it with --override",
    "needs-consent": "`wardiary ask` asks for it",
}


def advised(problem: object) -> str:
    """Return the message of an error on one line, with what to type about it, if there is anything.

    >>> from engine.errors import CorrectionNotAllowed
    >>> advised(CorrectionNotAllowed("needs-consent", "blue must consent"))
    'blue must consent (`wardiary ask` asks for it)'
    """
    words = " ".join(str(problem).split())
    if not isinstance(problem, DiaryError):
        return words
    advice = _BY_REASON.get(str(getattr(problem, "reason", "")), "") or _BY_CODE.get(problem.code, "")
    return f"{words} ({advice})" if advice else words
