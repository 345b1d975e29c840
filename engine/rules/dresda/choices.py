"""To fight on or to break off: who must choose, and when the choice is made (DR-084, DA-15, DA-16, DA-16a)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.orders import Order
from engine.rules.dresda.calls import option
from engine.rules.dresda.contact import engaged_now
from engine.rules.dresda.flight import forced_move
from engine.rules.dresda.orders import Disengage, Fight
from engine.rules.dresda.situation import Situation
from events.dresda import ChoiceDue, FightChosen

ON, DISENGAGE = "on", "disengage"


def in_movement(situation: Situation) -> bool:
    """Whether the choice may still be made in (c), by the option `break_off = "in_c"` (DA-16a)."""
    return option(situation, "break_off") == "in_c"


def choice_due(situation: Situation) -> ChoiceDue | None:
    """The fact that names who must choose next turn, or None if nobody is in hand-to-hand (DA-15)."""
    names = tuple(figure.id for figure in situation.state.standing() if engaged_now(situation, figure))
    return ChoiceDue(names, "DR-084") if names else None


def choices(situation: Situation, given: Mapping[str, Sequence[Order]], *, last: bool) -> Iterator[FightChosen]:
    """What those who are in hand-to-hand choose. When it is the `last` time to say so, silence fights on.

    One whose morale drives it away breaks off, whatever it says (DR-114).
    """
    for figure in situation.state.standing():
        if figure.choice or not engaged_now(situation, figure):
            continue
        said = [order for order in given.get(figure.id, ()) if isinstance(order, Fight | Disengage)]
        if forced_move(situation, figure) != "none" or any(isinstance(order, Disengage) for order in said):
            yield FightChosen(figure.id, DISENGAGE, "DR-084")
        elif said or last:
            yield FightChosen(figure.id, ON, "DR-084")
