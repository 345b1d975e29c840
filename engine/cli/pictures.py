"""Files to look at: the field as SVG or PNG, a battle as an HTML replay."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli.output import write_and_tell

if TYPE_CHECKING:
    from replays.view import View

_PNG_WIDTH = 1600


def write_field(view: View, seq: int, svg: Path | None, png: Path | None) -> None:
    """Write the field as a picture; `mark` is put before its title, such as NOT PLAYED."""
    from msgspec.structs import replace

    from projections.svg import draw

    scene = view.scene(seq)
    if scene is None:
        raise click.ClickException(
            f"the rule set {view.fold.name} draws no field; `wardiary show` without --svg tells it"
        )
    drawn = draw(replace(scene, title=f"{view.mark} — {scene.title}") if view.mark else scene)
    if svg is not None:
        write_and_tell(svg, drawn.encode(), f"{svg}: the field as SVG, {_kib(len(drawn.encode()))}")
    if png is not None:
        pixels = _pixels(drawn)
        write_and_tell(png, pixels, f"{png}: the field as PNG, {_kib(len(pixels))}")


def _pixels(drawn: str) -> bytes:
    try:
        resvg = import_module("resvg_py")
    except ImportError as error:
        raise click.ClickException(
            "PNG needs the package resvg-py: `pip install 'wardiary[png]'`; --svg works without it"
        ) from error
    return bytes(resvg.svg_to_bytes(svg_string=drawn, width=_PNG_WIDTH, background="#ffffff"))


def _kib(size: int) -> str:
    return f"{-(-size // 1024)} KiB"
