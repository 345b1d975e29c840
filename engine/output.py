"""Writing files: the one way in which anything is written that somebody asked for by name."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO

from events.errors import DiaryError

STANDARD_OUTPUT = Path("-")


class OutputRefused(DiaryError, OSError):
    """A file cannot be written. What stood in its place is still there."""

    code = "output/refused"

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{'standard output' if path == STANDARD_OUTPUT else path} cannot be written: {why}")
        self.path = path


@contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """Open a file that is there whole afterwards, or not at all: it is written beside, then put in its place.

    `-` is standard output. A symbolic link stays, and the file that it leads to is replaced. What is not a plain file,
    such as a pipe or a device, is written to and never replaced. A file that is replaced keeps its permissions.
    Raises `OutputRefused` for whatever the system refuses.
    """
    try:
        if path == STANDARD_OUTPUT:
            yield _standard_output()
            _standard_output().flush()
            return
        place = Path(os.path.realpath(path))
        found = _found(place)
        if found is None or stat.S_ISREG(found.st_mode):
            with _beside(place, found) as out:
                yield out
        else:
            with place.open("wb") as out:
                yield out
    except DiaryError:
        raise  # from whoever was writing
    except OSError as error:
        raise OutputRefused(path, error.strerror or str(error)) from error
    except ValueError as error:  # a name with a null character
        raise OutputRefused(path, str(error)) from error


def write_file(path: Path, content: bytes) -> None:
    """Write a file whole (see `written_whole`). Raises `OutputRefused`."""
    with written_whole(path) as out:
        out.write(content)


@contextmanager
def part_beside(place: Path) -> Iterator[Path]:
    """Give the name of a new file in the folder of another, and put it in the place of that one afterwards.

    If anything is raised, it is removed. Raises OSError.
    """
    part = next(
        name for number in count() if not os.path.lexists(name := place.with_name(f".part-{os.getpid()}-{number}"))
    )
    try:
        yield part
        os.replace(part, place)
        _settle(place.parent)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


@contextmanager
def _beside(place: Path, found: os.stat_result | None) -> Iterator[BinaryIO]:
    with part_beside(place) as part, part.open("xb") as out:
        yield out
        out.flush()
        if found is not None:
            part.chmod(stat.S_IMODE(found.st_mode))
        os.fsync(out.fileno())


def _found(place: Path) -> os.stat_result | None:
    """Return what stands at a place, or None. Raises OSError if that cannot be known, or if it is a folder."""
    try:
        found = place.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(None, "it is a folder")
    return found


def _standard_output() -> BinaryIO:
    if sys.stdout is None:
        raise OSError(None, "it is closed")
    sys.stdout.flush()
    return sys.stdout.buffer


def _settle(folder: Path) -> None:
    """Bring a folder's new name to the disk, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
