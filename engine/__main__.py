"""Start of the command `wardiary` (also `python -m engine`)."""

from __future__ import annotations

import sys
from importlib import import_module

ROOMS = ("events", "projections", "replays", "engine")


def foreign_rooms() -> list[str]:
    """Return the rooms whose import name another distribution has taken.

    The names are common (`events` is a well-known package), so each of our rooms says whose it is.
    """
    return [room for room in ROOMS if getattr(import_module(room), "__wardiary__", None) != room]


def main() -> None:
    """Run the command line, unless a foreign package stands in the place of one of our rooms."""
    foreign = foreign_rooms()
    if foreign:
        sys.stderr.write(
            f"wardiary: another installed package owns the import name {foreign[0]!r}: "
            "install wardiary in an environment of its own\n"
        )
        raise SystemExit(1)
    from engine.cli.main import cli

    cli()


if __name__ == "__main__":
    main()
