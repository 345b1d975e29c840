"""The page of all verbs, made from the verbs themselves: `python -m engine.cli.pages > docs/commands.md`."""

from __future__ import annotations

import click

from engine.cli.main import SECTIONS, cli

_HEAD = """# The verbs

This page is made from the program itself. Exit codes: 0 success, 1 refused or failed verification, 2 usage error. An
error is one line on standard error, and nothing is recorded. The file of battles is `./war.db`, or `--db FILE`, or the
variable `WARDIARY_DB`.

Verbs that read take `--json`. Verbs that act take `--request KEY` (the same command with the same key is done once),
`--expect SEQ` (refuse if the battle has moved on) and `--json`; [JSON for programs](json.md) says what they print.
"""


def commands_page() -> str:
    """Return the page in Markdown: each verb with its arguments, what it does, and its options."""
    with click.Context(cli, info_name="wardiary") as context:
        parts = [_HEAD]
        for title, verbs in SECTIONS.items():
            parts += [f"## {title}\n", *(_verb(context, name) for name in verbs)]
    return "\n".join(parts)


def _verb(context: click.Context, name: str) -> str:
    command = cli.get_command(context, name)
    assert command is not None
    with click.Context(command, info_name=name, parent=context) as inner:
        usage = " ".join(command.collect_usage_pieces(inner))
        lines = [f"### `{name}`", "", f"    wardiary {name} {usage}", "", (command.help or "").strip(), ""]
        records = [option.get_help_record(inner) for option in command.params if isinstance(option, click.Option)]
        options = [record for record in records if record is not None and "--help" not in record[0]]
        lines += [f"* `{form}` — {meaning}" if meaning else f"* `{form}`" for form, meaning in options]
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    click.echo(commands_page(), nl=False)
