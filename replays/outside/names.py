"""Who is who: an alias file tells which names in a log belong to one person."""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

from replays.outside.source import OutsideUnreadable


def read_aliases(path: Path) -> dict[str, str]:
    """Read a TOML file of persons, each with a name or a list of names; return name -> person.

    Names are compared letter by letter, however the letters are encoded (NFC). A person's own name is one of theirs.
    Raises `OutsideUnreadable`.
    """
    try:
        table = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise OutsideUnreadable(str(path), 0, str(error.strerror or error)) from error
    except UnicodeDecodeError as error:
        raise OutsideUnreadable(str(path), 0, "not UTF-8 text: save it as UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        told = " ".join(str(error).split()) or "nested too deeply"
        raise OutsideUnreadable(
            str(path), 0, f'not TOML ({told}): write lines such as Ann = ["Red", "ann_k"]'
        ) from error
    persons: dict[str, str] = {}
    for person, names in table.items():
        listed = [names] if isinstance(names, str) else names
        if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
            raise OutsideUnreadable(str(path), 0, f'{person!r} needs a list of names, as in Ann = ["Red", "ann_k"]')
        for name in {plain_name(each) for each in (person, *listed)}:
            if persons.setdefault(name, person) != person:
                raise OutsideUnreadable(
                    str(path), 0, f"the name {name!r} belongs to {persons[name]!r} and to {person!r}: give it to one"
                )
    return persons


def plain_name(name: str) -> str:
    """Return a name as it is compared: the spaces around it taken off, letters in one encoding."""
    return unicodedata.normalize("NFC", name).strip()


def who_is(name: str, persons: Mapping[str, str]) -> str | None:
    """Return the person behind a name in a log; None if the aliases do not tell."""
    return persons.get(plain_name(name))


def nearest(name: str, persons: Mapping[str, str]) -> str:
    """Say which listed name looks like one that is not listed, or nothing."""
    near = get_close_matches(plain_name(name), list(persons), 1)
    return f"; did you mean {near[0]!r}?" if near else ""
