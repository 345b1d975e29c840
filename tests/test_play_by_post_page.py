"""The page that a referee by post starts from tells the truth: its week is typed again, at the times that stand there.

`python -m tests.test_play_by_post_page` writes the page's transcripts anew.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from pathlib import Path
from random import Random
from unittest import mock

from click.testing import CliRunner
from freezegun import freeze_time

from engine.cli.main import cli

PAGE = Path(__file__).resolve().parent.parent / "docs" / "play-by-post.md"
_BLOCK = re.compile(
    r"^```(?:text file=(?P<name>\S+)|console (?P<at>\S+ \S+) UTC(?P<quiet> quiet)?)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_DIGEST = re.compile(r"[0-9a-f]{16,}")


def typed(found: re.Match[str]) -> str:
    """Return a block as it is when it is typed now: a file is written, a command says what it says."""
    if found["name"]:
        Path(found["name"]).write_text(found["text"], encoding="utf-8")
        return found[0]
    said = []
    with freeze_time(found["at"]):
        for command in re.findall(r"^\$ (.*)$", found["text"], re.MULTILINE):
            result = CliRunner().invoke(cli, shlex.split(command)[1:])
            assert result.exit_code == 0, (command, result.output, result.exception)
            said += [f"$ {command}\n", "" if found["quiet"] else result.output]
    return f"```console {found['at']} UTC{found['quiet'] or ''}\n{''.join(said)}```"


def written_anew(page: str) -> str:
    """Return the page as it would be if its commands were typed now, with dice that are always the same."""
    chance, here = Random(7), os.getcwd()
    with tempfile.TemporaryDirectory() as folder, mock.patch("secrets.token_bytes", chance.randbytes):
        os.chdir(folder)
        try:
            return _BLOCK.sub(typed, page)
        finally:
            os.chdir(here)


def test_the_week_on_the_page_goes_as_the_page_says() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.count("\n$ wardiary") > 10
    now = written_anew(page)
    assert _DIGEST.sub("…", now) == _DIGEST.sub("…", page), (
        "the page is stale: `python -m tests.test_play_by_post_page` writes it anew"
    )


if __name__ == "__main__":
    PAGE.write_text(written_anew(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
