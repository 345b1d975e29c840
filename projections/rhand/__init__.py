"""Rhand as it adds up: state, reducers, captions, picture."""

from __future__ import annotations

from functools import lru_cache

from projections.fold import Fold


@lru_cache(maxsize=1)
def fold() -> Fold:
    """Return the fold of a Rhand fight."""
    from events import rhand as facts
    from projections.rhand import reducers, state
    from projections.rhand.captions import CAPTIONS
    from projections.rhand.picture import picture
    from projections.rhand.scene import scene
    from projections.rhand.story import DETAILS, merge
    from projections.story import by_lines

    return Fold(
        "rhand",
        facts.EVENTS,
        state.Rhand(),
        reducers.REDUCERS,
        CAPTIONS,
        picture,
        (facts, state, reducers),
        scene=scene,
        bearing={"knockout": "bad"},
        story=by_lines(DETAILS, merge),
    )
