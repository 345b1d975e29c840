"""Who gets what, and where: a TOML file beside the battles. Addresses are never recorded."""

from __future__ import annotations

import os
import tomllib
from email.errors import MessageError
from email.headerregistry import Address
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from events.errors import DiaryError


class RecipientsInvalid(DiaryError, ValueError):
    """The file of recipients cannot be used; the message names the file, the entry and what is wrong with it."""

    code = "delivery/recipients"


Channel = Literal["mail", "webhook", "files"]


class MailHost(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"sender": "from"}):
    """Where mail is handed in. `password_env` names the environment variable that holds the password."""

    host: str
    sender: str
    port: int = 0
    security: Literal["starttls", "tls", "none"] = "starttls"
    user: str = ""
    password_env: str = "WARDIARY_SMTP_PASSWORD"

    @property
    def at_port(self) -> int:
        """The port that is given, or the usual one."""
        return self.port or (465 if self.security == "tls" else 587)

    @property
    def password(self) -> str:
        """The password from the environment; empty if there is none."""
        return os.environ.get(self.password_env, "")


class Recipient(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who gets what `viewer` may see: by mail, to a webhook, or (neither) as files alone.

    `board` is the dialect in which posts are written for him; `battles` those he is told of, all if none is named.
    """

    viewer: str
    mail: str = ""
    webhook: str = ""
    board: str = ""
    battles: tuple[str, ...] = ()

    @property
    def channel(self) -> Channel:
        """How messages get there."""
        return "mail" if self.mail else "webhook" if self.webhook else "files"

    @property
    def dialect(self) -> str:
        """The dialect in which messages are written."""
        return self.board or ("discord" if self.webhook else "mail")


class Recipients(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file: recipients by name, and the mail host if there is one."""

    recipients: dict[str, Recipient] = {}
    smtp: MailHost | None = None

    def of(self, battle: str, *viewers: str) -> list[tuple[str, Recipient]]:
        """Return who is told of a battle, with their names: all, or those who see what some viewers may see."""
        return [
            (name, each)
            for name, each in self.recipients.items()
            if (not each.battles or battle in each.battles) and (not viewers or each.viewer in viewers)
        ]


def read_recipients(path: Path) -> Recipients:
    """Read the file. Raises `RecipientsInvalid`, which never shows a webhook's address: that is a password."""
    try:
        found = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Recipients)
    except OSError as error:
        raise RecipientsInvalid(f"{path}: {error.strerror or error}") from error
    except msgspec.ValidationError as error:
        raise RecipientsInvalid(f"{path}: {error}") from error
    except (ValueError, RecursionError) as error:  # not UTF-8, not TOML, a number of thousands of digits
        raise RecipientsInvalid(f"{path}: not TOML ({error})") from error
    if found.smtp is not None:
        _check_address(path, "smtp", found.smtp.sender)
    for name, each in found.recipients.items():
        if each.mail and each.webhook:
            raise RecipientsInvalid(f"{path}: {name} has mail and webhook: make two recipients of them")
        if each.mail:
            _check_address(path, name, each.mail)
        if each.webhook and not _is_address(each.webhook):
            raise RecipientsInvalid(f"{path}: the webhook of {name} is no address of the form https://…")
    return found


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("https", "http") and bool(parts.hostname)
    except ValueError:  # brackets that are never closed
        return False


def _check_address(path: Path, name: str, text: str) -> None:
    from email.headerregistry import HeaderRegistry

    try:
        header = HeaderRegistry()("To", text)
        addresses: tuple[Address, ...] = header.addresses  # type: ignore[attr-defined]
    except (MessageError, ValueError, IndexError):
        addresses = ()
    if len(addresses) != 1 or not addresses[0].domain or not text.isprintable():
        raise RecipientsInvalid(f"{path}: {name}: {text!r} is no mail address")
