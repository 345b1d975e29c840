"""The documents tell the truth: their transcripts are what the program prints, every verb is in them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.cli.main import VERBS, cli
from engine.cli.pages import commands_page

ROOT = Path(__file__).resolve().parent.parent
TRANSCRIPTS = ["docs/tutorial.md"]
_BLOCK = re.compile(r"```(?P<kind>console|text file=(?P<name>\S+))\n(?P<body>.*?)```", re.DOTALL)
_CHANGING = re.compile(r"[0-9a-f]{12,}…?|\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d[\d,]* bytes")


def masked(text: str) -> str:
    """Leave out what differs from run to run: digests, times, sizes."""
    return "\n".join(line.rstrip() for line in _CHANGING.sub("…", text).strip().splitlines())


@pytest.mark.parametrize("page", TRANSCRIPTS)
def test_the_transcripts_are_what_the_program_prints(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = list(_BLOCK.finditer((ROOT / page).read_text(encoding="utf-8")))
    assert blocks
    for block in blocks:
        if block["name"]:
            Path(block["name"]).write_text(block["body"], encoding="utf-8")
            continue
        for command, printed in told(block["body"]):
            words = shlex.split(command)
            assert words.pop(0) == "wardiary", command
            result = CliRunner().invoke(cli, words)
            assert masked(result.output) == masked(printed), command


def told(body: str) -> list[tuple[str, str]]:
    """Split a console block into commands and what each printed."""
    found: list[tuple[str, str]] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif found:
            command, printed = found[-1]
            found[-1] = (command, f"{printed}{line}\n")
    return found


def test_the_page_of_verbs_is_what_the_program_says_of_them() -> None:
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    assert [verb for verb in VERBS if f"### `{verb}`" not in page] == []
    assert page == commands_page(), "make it anew: python -m engine.cli.pages > docs/commands.md"


def test_the_readme_has_the_two_commands_each_on_one_line() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert commands[0].endswith("wardiary demo")
    assert "[dev]" not in commands[0]
    assert commands[1].endswith("python -m pytest")


def test_links_between_the_pages_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
