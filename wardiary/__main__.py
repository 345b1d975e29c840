"""Start of the command `wardiary`, also `python -m wardiary`."""

from __future__ import annotations

import sys

from wardiary.rooms import RoomTaken, check_rooms


def main() -> None:
    """Run the command line, unless another package is found in the place of one of ours: then say so in one line."""
    try:
        check_rooms()
    except RoomTaken as taken:
        sys.stderr.write(f"wardiary: {taken}\n")
        raise SystemExit(1) from None
    from engine.cli.main import cli

    cli()


if __name__ == "__main__":
    main()
