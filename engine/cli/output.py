"""Telling what was written, and where."""

from __future__ import annotations

from pathlib import Path

import click

from engine.output import STANDARD_OUTPUT, write_file

FILE = click.Path(path_type=Path)
"""A file to be written; `-` is standard output. What stands in the way is told by `engine.output`."""


def tell_written(path: Path, text: str) -> None:
    """Say that a file was written: beside it, on standard error, where the file is standard output itself."""
    click.echo(text, err=path == STANDARD_OUTPUT)


def write_and_tell(path: Path, content: bytes, text: str) -> None:
    """Write a file whole and say so. Raises `OutputRefused`."""
    write_file(path, content)
    tell_written(path, text)
