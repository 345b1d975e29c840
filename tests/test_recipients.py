"""The file that says who gets what, and how: read whole, or refused in one line that shows no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.delivery.recipients import RecipientsInvalid, read_recipients


def test_the_file_of_recipients_is_read(tmp_path: Path) -> None:
    file = tmp_path / "recipients.toml"
    file.write_text(
        """
        [smtp]
        host = "mail.example.org"
        from = "War Diary <diary@example.org>"
        security = "tls"
        [recipients.ann]
        viewer = "red"
        mail = "Ann <ann@example.org>"
        [recipients.club]
        viewer = "spectator"
        webhook = "https://discord.example/api/webhooks/1/x"
        battles = ["ford"]
        """,
        encoding="utf-8",
    )
    book = read_recipients(file)
    assert book.smtp is not None
    assert book.smtp.at_port == 465
    assert [name for name, _ in book.of("ford")] == ["ann", "club"]
    assert [name for name, _ in book.of("hill")] == ["ann"]
    assert [each.dialect for _, each in book.of("ford")] == ["mail", "discord"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[recipients.ann]\nmail = 'ann@example.org'", "viewer"),
        ("[recipients.ann]\nviewer = 'red'\nmail = 'ann'", "'ann' is no mail address"),
        ("[recipients.ann]\nviewer = 'red'\nmail = 'a@x.org, b@x.org'", "no mail address"),
        ("[recipients.ann]\nviewer = 'red'\nmail = 'a@x.org'\nwebhook = 'https://x/SECRET'", "make two"),
        ("[recipients.ann]\nviewer = 'red'\nwebhook = 'file:///etc/SECRET'", "https://"),
        ("[recipients.ann]\nviewer = 'red'\nmial = 'ann@example.org'", "mial"),
        ("[smtp]\nhost = 'x'\nfrom = 'nobody'", "no mail address"),
        ("[smtp", "not TOML"),
    ],
)
def test_a_file_of_recipients_that_does_not_add_up_is_refused_in_one_line(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "recipients.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RecipientsInvalid, match=why) as refused:
        read_recipients(file)
    assert "SECRET" not in str(refused.value)
    assert "\n" not in str(refused.value)
    with pytest.raises(RecipientsInvalid):
        read_recipients(tmp_path / "nowhere.toml")
