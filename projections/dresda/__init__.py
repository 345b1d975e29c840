"""Dresda as it adds up: state, reducers, captions, picture."""

from __future__ import annotations

from functools import lru_cache

from projections.fold import Fold


@lru_cache(maxsize=1)
def fold() -> Fold:
    """Return the fold of a Dresda battle."""
    from events import dresda as facts
    from projections.dresda import changes, reducers, state, things
    from projections.dresda.captions import CAPTIONS
    from projections.dresda.picture import picture
    from projections.dresda.scene import scene
    from projections.story import by_lines

    details = (
        facts.FieldLaid, facts.AreaLaid, facts.BarrierLaid, facts.FireLit, facts.ThingPlaced, facts.SideSet,
        facts.FigureSet, facts.PhaseReached, facts.AimBegun, facts.FightChosen, facts.Moved, facts.ActionTaken,
        facts.ThingWeighed, facts.EngagementsSet, facts.MountJudged, facts.EdgeJudged, facts.HurtHeld,
    )  # fmt: skip

    return Fold(
        "dresda",
        facts.EVENTS,
        state.Battlefield(),
        reducers.REDUCERS,
        CAPTIONS,
        picture,
        (facts, state, reducers, changes, things),
        scene=scene,
        bearing={"missile/mount": "neither"},
        story=by_lines(details),
    )
