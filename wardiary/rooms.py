"""Whether the packages that War Diary consists of are its own, and not some other distribution's of the same name.

Their names are common: PyPI's `Events`, for one, installs a package `events`, too.
"""

from __future__ import annotations

from importlib import import_module

ROOMS = ("events", "projections", "replays", "engine")
"""The packages of War Diary below this one; each imports only from itself and those before it."""


class RoomTaken(ImportError):
    """Another package is found under the name of one of War Diary's own. The message says which, where, what to do."""


def check_rooms() -> None:
    """Raise `RoomTaken` if one of the rooms is missing or belongs to somebody else."""
    for room in ROOMS:
        try:
            found = import_module(room)
        except ImportError:
            raise RoomTaken(f"package {room!r} is missing or broken: install wardiary again") from None
        if getattr(found, "__wardiary__", None) != room:
            where = getattr(found, "__file__", None) or ", ".join(getattr(found, "__path__", ()))
            raise RoomTaken(
                f"another package owns the import name {room!r} ({where}): "
                "install wardiary in a virtual environment of its own"
            )
