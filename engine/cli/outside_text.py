"""Where posts go: to the terminal, to files, as one JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.cli.common import emit
from engine.cli.output import write_and_tell
from engine.output import STANDARD_OUTPUT

if TYPE_CHECKING:
    from replays.publish.dialect import Dialect
    from replays.publish.document import Document
    from replays.publish.turn import Turn


class Outlet:
    """Where posts go: to the terminal, to files, or as one JSON document."""

    def __init__(self, as_json: bool, out: Path | None, narrow: bool, *, several: bool) -> None:
        self.as_json = as_json
        self.out = out
        self.narrow = narrow
        self.several = several
        self.told: list[dict[str, Any]] = []

    def say(self, text: str) -> None:
        """Say something between posts, where a person reads along."""
        if not self.as_json:
            click.echo(text)

    def put(self, name: str, dialect: Dialect, document: Document, turn: Turn, what: str = "") -> None:
        """Write a document for a board."""
        import msgspec

        from replays.publish.split import posts

        parts = posts(document, dialect, narrow=self.narrow)
        if self.as_json:
            posted = {"board": name, "what": what or f"t{turn.turn}", "viewer": turn.viewer, "parts": parts}
            self.told.append({**posted, "turn": msgspec.to_builtins(turn)})
        elif self.out is not None:
            told = [what, Path(name).stem] if self.several and self.out != STANDARD_OUTPUT else []
            self.write(self.out.with_stem("-".join([self.out.stem, *filter(None, told)])), parts)
        else:
            self.print(dialect, parts)

    def print(self, dialect: Dialect, parts: Sequence[str]) -> None:
        """Print the parts of a post, with a line to cut along where there are several."""
        for at, part in enumerate(parts, 1):
            if len(parts) > 1:
                click.echo(f"8< -- part {at} of {len(parts)} -- {dialect.size(part)} {dialect.unit} -- >8")
            click.echo(part)

    def write(self, path: Path, parts: Sequence[str]) -> None:
        """Write a file, or a numbered one for each part."""
        for at, part in enumerate(parts, 1):
            place = path if len(parts) == 1 or path == STANDARD_OUTPUT else path.with_stem(f"{path.stem}-{at}")
            write_and_tell(place, f"{part}\n".encode(), f"{place}: part {at} of {len(parts)}")

    def close(self) -> None:
        """Print what was gathered as JSON."""
        if self.as_json:
            emit(self.told)
