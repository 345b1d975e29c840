"""Mail: a message from a parcel, always the same to the byte, and handing it in to a mail host."""

from __future__ import annotations

import smtplib
from collections.abc import Sequence
from datetime import UTC, datetime
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage
from email.policy import SMTP
from html import escape

from engine.delivery.recipients import MailHost
from engine.delivery.sending import SendFailed
from events.store.outbox import Message, Parcel

PAGE = "\f"
"""Stands between the parts of a message."""

TIMEOUT_S = 30


def compose(parcel: Parcel, sender: str, to: str, root: str) -> EmailMessage:
    """Make a mail of a parcel. The same parcel gives the same bytes, and so the same Message-ID.

    `root` is the id of the battle's thread: every mail says that it answers it, so that mail programs sort a battle's
    mails together. Its table-like text is fixed, not flowed.
    """
    messages = parcel.messages
    domain = _domain(sender)
    mail = EmailMessage(policy=SMTP)
    mail["From"] = sender
    mail["To"] = to
    mail["Subject"] = _line(subject_of(messages))
    mail["Date"] = datetime.fromtimestamp(messages[-1].made_at // 1_000_000, UTC)
    mail["Message-ID"] = f"<{parcel.name}@{domain}>"
    mail["In-Reply-To"] = mail["References"] = f"<{root}@{domain}>"
    mail["Auto-Submitted"] = "auto-generated"
    text = text_of(messages)
    plain = text.isascii() and all(len(line) < 900 and line == line.rstrip() for line in text.splitlines())
    mail.set_content(text, charset="utf-8", cte="7bit" if plain else "quoted-printable", params={"format": "fixed"})
    if any(each.html for each in messages):
        mail.add_alternative(html_of(messages), subtype="html", charset="utf-8", cte="base64")
        mail.set_boundary(f"=_{parcel.name}")
    return mail


def subject_of(messages: Sequence[Message]) -> str:
    """Return the subject of what is sent together."""
    first = messages[0]
    return (
        first.subject
        if len(messages) == 1
        else f"{first.battle}: {len(messages)} messages, last: {messages[-1].subject}"
    )


def text_of(messages: Sequence[Message]) -> str:
    """Return messages as one text: one as it is, several as a digest under their subjects, oldest first."""
    texts = [each.text.replace(PAGE, "\n\n") for each in messages]
    if len(messages) == 1:
        return texts[0]
    return "\n\n".join(f"=== {each.subject} ===\n\n{text}" for each, text in zip(messages, texts, strict=True))


def html_of(messages: Sequence[Message]) -> str:
    """Return messages as one page."""
    pages = [each.html or f"<pre>{escape(each.text.replace(PAGE, chr(10)))}</pre>" for each in messages]
    if len(messages) == 1:
        return pages[0]
    return "\n".join(f"<h1>{escape(each.subject)}</h1>\n{page}" for each, page in zip(messages, pages, strict=True))


def _domain(sender: str) -> str:
    (address,) = HeaderRegistry()("From", sender).addresses  # type: ignore[attr-defined]
    return str(address.domain)


def _line(text: str) -> str:
    return " ".join(text.split())[:200]


def send_mail(mail: EmailMessage, host: MailHost) -> None:
    """Hand a mail in. Raises `SendFailed`."""
    try:
        with _connected(host) as server:
            _hand_in(server, mail)
    except (OSError, smtplib.SMTPException) as error:
        raise SendFailed("not sent", f"{host.host}: {_told(error)}") from error


def _connected(host: MailHost) -> smtplib.SMTP:
    if host.security == "tls":
        import ssl

        server: smtplib.SMTP = smtplib.SMTP_SSL(
            host.host, host.at_port, timeout=TIMEOUT_S, context=ssl.create_default_context()
        )
    else:
        server = smtplib.SMTP(host.host, host.at_port, timeout=TIMEOUT_S)
    try:
        if host.security == "starttls":
            import ssl

            server.starttls(context=ssl.create_default_context())
        if host.user:
            server.login(host.user, host.password)
    except BaseException:
        server.close()
        raise
    return server


def _hand_in(server: smtplib.SMTP, mail: EmailMessage) -> None:
    """Send on an open connection. Raises `SendFailed`; once the text is on its way, a broken line leaves us unsure."""
    try:
        server.send_message(mail)
    except smtplib.SMTPRecipientsRefused as error:
        ((code, reason),) = error.recipients.values()
        raise SendFailed("refused" if code >= 500 else "not sent", f"{code} {_decoded(reason)}") from error
    except smtplib.SMTPDataError as error:
        raise SendFailed(
            "refused" if error.smtp_code >= 500 else "not sent", f"{error.smtp_code} {_decoded(error.smtp_error)}"
        ) from error
    except smtplib.SMTPResponseException as error:  # the sender is refused: to be mended here, then it goes out
        raise SendFailed("not sent", f"{error.smtp_code} {_decoded(error.smtp_error)}") from error
    except smtplib.SMTPNotSupportedError as error:
        raise SendFailed("refused", str(error)) from error
    except (OSError, smtplib.SMTPException) as error:
        raise SendFailed("unsure", _told(error)) from error


def _decoded(text: bytes | str) -> str:
    return text.decode(errors="replace") if isinstance(text, bytes) else text


def _told(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error or type(error).__name__)
