"""The referee's handbook tells the truth: every command on the page is typed, and must say what the page says.

`python -m tests.test_referee_page` writes the page's transcripts anew.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from unittest import mock

from click.testing import CliRunner
from freezegun import freeze_time

from engine.cli.main import cli

PAGE = Path(__file__).resolve().parent.parent / "docs" / "referee.md"
_DIGEST = re.compile(r"[0-9a-f]{16,}")
_BLOCK = re.compile(r"^```console(?P<quiet> quiet)?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def typed() -> Callable[[re.Match[str]], str]:
    """Return what types the commands of one block after the other, and gives the block with what they said."""
    runner = CliRunner()

    def block(found: re.Match[str]) -> str:
        said = []
        for command in re.findall(r"^\$ (.*)$", found["text"], re.MULTILINE):
            result = runner.invoke(cli, shlex.split(command)[1:])
            assert result.exception is None or isinstance(result.exception, SystemExit), (command, result.exception)
            assert result.exit_code in ((0,) if found["quiet"] else (0, 1)), (command, result.output)
            said += [f"$ {command}\n", "" if found["quiet"] else result.output]
        return f"```console{found['quiet'] or ''}\n{''.join(said)}```"

    return block


def written_anew(page: str) -> str:
    """Return the page as it would be if its commands were typed now, with dice that are always the same."""
    chance, here = Random(20), os.getcwd()
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch("secrets.token_bytes", chance.randbytes),
        freeze_time("2026-03-01 18:00:00"),
    ):
        os.chdir(folder)
        try:
            return _BLOCK.sub(typed(), page)
        finally:
            os.chdir(here)


def test_every_command_of_the_page_says_what_the_page_says() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.count("\n$ wardiary") > 20
    now = written_anew(page)
    assert _DIGEST.sub("…", now) == _DIGEST.sub("…", page), (
        "the page is stale: `python -m tests.test_referee_page` writes it anew"
    )


if __name__ == "__main__":
    PAGE.write_text(written_anew(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
