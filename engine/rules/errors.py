"""What can be wrong with a rule set, its list of rules, its options and its scenarios."""

from __future__ import annotations

from collections.abc import Sequence

from events.errors import DiaryError, did_you_mean


class RulesError(DiaryError):
    """Base of what can be wrong with the list of rules of a rule set, or with how somebody asks for them."""

    code = "rules/error"


class RuleUnknown(RulesError, KeyError):
    """No rule of the rule set has that id. `nearest` holds the ids that come closest."""

    code = "rules/unknown"

    def __init__(self, system: str, rule: str, nearest: Sequence[str] = ()) -> None:
        hint = did_you_mean(nearest) or f"; `wardiary rules {system}` lists them"
        super().__init__(f"{system} has no rule {rule!r}{hint}")
        self.system = system
        self.rule = rule
        self.nearest = tuple(nearest)

    def __str__(self) -> str:
        return str(self.args[0])


class OptionInvalid(RulesError, ValueError):
    """A rule set has no such option, or the option has no such value. `nearest` holds the right words."""

    code = "rules/option"

    def __init__(self, message: str, option: str, nearest: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.option = option
        self.nearest = tuple(nearest)


class BookInvalid(RulesError, ValueError):
    """The list of rules of a rule set cannot be used. `problems` lists all that is wrong, each with its place."""

    code = "rules/invalid"

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(" ".join(problem.split()) for problem in problems)
        super().__init__("; ".join(self.problems))


class EditionMissing(DiaryError, LookupError):
    """A battle is fought by an edition of its rules that is not installed here. It can be read, not continued."""

    code = "rules/edition"

    def __init__(self, battle: str, name: str, wanted: str, found: str) -> None:
        super().__init__(
            f"{battle} is fought by edition {wanted} of {name}, here is edition {found}: it can be shown, replayed and "
            f"exported; install the edition as {name}@{wanted}, or adopt {found} by ruling with `wardiary edition`"
        )
        self.battle = battle
        self.name = name
        self.wanted = wanted
        self.found = found


class ScenarioInvalid(DiaryError, ValueError):
    """A scenario or roster file does not add up. `problems` lists everything found, each with its place."""

    code = "scenario/invalid"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)
