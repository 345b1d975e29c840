"""The page about posts tells the truth: after the turn of the tutorial, its commands print what stands there."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.main import cli
from tests.test_docs import _BLOCK, ROOT, masked, told


def test_the_page_about_posts_is_what_the_program_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tutorial, _, _ = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8").partition("## Ask why")
    for text, compared in ((tutorial, False), ((ROOT / "docs/posts.md").read_text(encoding="utf-8"), True)):
        for block in _BLOCK.finditer(text):
            if block["name"]:
                Path(block["name"]).write_text(block["body"], encoding="utf-8")
                continue
            for command, printed in told(block["body"]):
                result = CliRunner().invoke(cli, shlex.split(command)[1:])
                assert not compared or masked(result.output) == masked(printed), command
