"""Messages out: once each, as the same mail if it must be twice, to real servers on this machine, and to files."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any
from unittest import mock

import pytest
from aiosmtpd.controller import Controller
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cli.main import cli
from engine.delivery.notices import notices
from engine.delivery.outbox import MAX_TRIES, Delivered, Letter, deliver, enqueue
from engine.delivery.recipients import MailHost, Recipient, Recipients
from engine.delivery.sending import SendFailed
from engine.delivery.webhook import LIMIT, size, split
from events.store.sqlite import SqliteLog
from projections.deadlines import SECOND
from tests.by_command import call, extend, freeze
from tests.calendar_table import at, opened
from tests.table import Table

START = at("2026-03-03 12:00")
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE


class Post:
    """A mail host on this machine. `answers` are given to the next mails in place of a good one."""

    def __init__(self) -> None:
        self.mails: list[Any] = []
        self.answers: list[str] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        answer = self.answers.pop(0) if self.answers else "250 taken"
        if answer.startswith("250"):
            self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return answer


class Hook(BaseHTTPRequestHandler):
    """A webhook on this machine."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server: Any = self.server
        code = server.answers.pop(0) if server.answers else 204
        if code == 204:
            server.taken.append(body)
        self.send_response(code)
        if code == 429:
            self.send_header("Retry-After", "1800")
        if code == 302:
            self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        return


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def post() -> Iterator[tuple[Post, MailHost]]:
    handler = Post()
    port = free_port()
    controller = Controller(handler, hostname="127.0.0.1", port=port)
    controller.start()
    yield handler, MailHost("127.0.0.1", "War Diary <diary@example.org>", port, "none")
    controller.stop()


@pytest.fixture
def hook() -> Iterator[Any]:
    server: Any = HTTPServer(("127.0.0.1", 0), Hook)
    server.taken, server.answers = [], []
    server.url = f"http://127.0.0.1:{server.server_port}/api/webhooks/SECRET"
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog]:
    with SqliteLog(tmp_path / "war.db", durability="normal") as log:
        opened(log)
        yield log


def put(log: SqliteLog, key: str, recipient: str = "ann", text: str = "Hello", html: str = "") -> bool:
    return enqueue(log, "b", recipient, Letter(key, f"About {key}", text, html), START)


def send(log: SqliteLog, book: Recipients, when: int = START, out: Path | None = None) -> list[Delivered]:
    return deliver(log, book, out=out, clock=lambda: when)


def by_mail(host: MailHost) -> Recipients:
    return Recipients({"ann": Recipient("red", mail="ann@example.org")}, host)


def by_hook(hook: Any) -> Recipients:
    return Recipients({"club": Recipient("spectator", webhook=hook.url)})


def down() -> MailHost:
    """A mail host that is not there."""
    return MailHost("127.0.0.1", "diary@example.org", free_port(), "none")


def states(log: SqliteLog) -> list[str]:
    return [each.state for each in log.outbox().messages()]


# ------------------------------------------------------------------------------------------------- L59


def test_l59_a_crash_between_send_and_mark_gives_one_repeat_with_the_same_message_id(
    log: SqliteLog, post: tuple[Post, MailHost]
) -> None:
    server, host = post
    put(log, "one")
    with (
        mock.patch("events.store.sqlite_outbox.SqliteOutbox.sent", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        send(log, by_mail(host))
    assert len(server.mails) == 1
    assert states(log) == ["pending"]
    put(log, "two")
    assert [each.outcome for each in send(log, by_mail(host), START + MINUTE)] == ["sent"]
    assert server.mails[1]["Subject"] == "About two"
    assert [each.outcome for each in send(log, by_mail(host), START + 11 * MINUTE)] == ["sent"]
    first, _, repeat = server.mails
    assert repeat["Message-ID"] == first["Message-ID"]
    assert repeat.as_bytes() == first.as_bytes()
    assert send(log, by_mail(host), START + 24 * HOUR) == []
    assert states(log) == ["sent", "sent"]


def test_l59_a_mail_host_that_is_down_for_three_hours_leaves_all_pending_then_gets_one_digest(
    log: SqliteLog, post: tuple[Post, MailHost]
) -> None:
    server, host = post
    away = by_mail(down())
    tries = 0
    for minute in range(0, 180, 5):
        if minute in (0, 60, 120):
            put(log, f"hour {minute // 60}", html="<p>Hello</p>" if minute else "")
        tries += len(send(log, away, START + minute * MINUTE))
        assert set(states(log)) == {"pending"}
    assert 5 < tries < 15
    assert "refused" in log.outbox().messages()[0].problem.lower()
    assert [each.messages for each in send(log, by_mail(host), START + 5 * HOUR)] == [3]
    (mail,) = server.mails
    assert mail["Subject"] == "b: 3 messages, last: About hour 2"
    text = mail.get_body(("plain",)).get_content()
    assert [text.index(f"=== About hour {number} ===") for number in range(3)] == sorted(
        text.index(f"=== About hour {number} ===") for number in range(3)
    )
    assert "<h1>About hour 0</h1>" in mail.get_body(("html",)).get_content()
    assert states(log) == ["sent"] * 3


def test_l59_the_same_thing_said_twice_is_sent_once(log: SqliteLog, post: tuple[Post, MailHost]) -> None:
    server, host = post
    assert put(log, "one")
    assert not put(log, "one", text="Something else")
    send(log, by_mail(host))
    assert not put(log, "one")
    assert send(log, by_mail(host)) == []
    assert [mail.get_content().split() for mail in server.mails] == [["Hello"]]


def test_l59_two_who_deliver_at_once_send_each_message_once(log: SqliteLog, post: tuple[Post, MailHost]) -> None:
    server, host = post
    put(log, "one")
    with SqliteLog(log.path) as other:
        taken = other.outbox().take("ann", START, 600 * SECOND)
        assert send(log, by_mail(host)) == []
        other.outbox().put_back(taken[0], "gave up", START)
    send(log, by_mail(host))
    assert len(server.mails) == 1


def test_l59_a_webhook_that_breaks_off_goes_on_with_the_part_that_is_missing(log: SqliteLog, hook: Any) -> None:
    enqueue(log, "b", "club", Letter("turn", "A turn", ["part 1", "part 2", "part 3"]), START)
    hook.answers = [204, 503]
    (first,) = send(log, by_hook(hook))
    assert (first.outcome, first.problem) == ("pending", "127.0.0.1 answers 503")
    enqueue(log, "b", "club", Letter("next", "Next", "part 4"), START)
    assert {each.outcome for each in send(log, by_hook(hook), START + HOUR)} == {"sent"}
    assert [body["content"] for body in hook.taken] == ["part 1", "part 2", "part 3", "part 4"]


ENDS = ("sent", "not sent", "unsure, and it was", "unsure, and it was not", "refused", "crash before", "crash after")


@settings(max_examples=40)
@given(st.lists(st.one_of(st.just("put"), st.sampled_from(ENDS)), max_size=12))
def test_l59_whatever_fails_nothing_is_lost_and_what_comes_twice_is_the_same_mail(steps: list[str]) -> None:
    got: dict[str, set[str]] = {}
    with TemporaryDirectory() as folder, SqliteLog(Path(folder) / "war.db", durability="normal") as log:
        opened(log)
        when, number, refused = START, 0, False
        for step in [*steps, "sent", "sent"]:
            when += 2 * HOUR
            if step == "put":
                number += 1
                put(log, f"<{number}>", text=f"<{number}>")
                continue
            refused = refused or (step == "refused" and "pending" in states(log))

            def attempt(mail: Any, host: MailHost, step: str = step) -> None:
                if step == "crash before":
                    raise KeyboardInterrupt
                if step in ("sent", "unsure, and it was", "crash after"):
                    for key in re.findall("<[0-9]+>", mail.get_content()):
                        got.setdefault(key, set()).add(mail["Message-ID"])
                if step == "crash after":
                    raise KeyboardInterrupt
                if step != "sent":
                    raise SendFailed(step.partition(",")[0], "as told")  # type: ignore[arg-type]

            with mock.patch("engine.delivery.outbox.send_mail", attempt), suppress(KeyboardInterrupt):
                send(log, by_mail(MailHost("127.0.0.1", "diary@example.org")), when)
        assert all(len(ids) == 1 for ids in got.values())
        assert "pending" not in states(log)
        assert refused or len(got) == number


# ------------------------------------------------------------------------------------------------- mail


def test_a_mail_is_plain_fixed_text_in_the_thread_of_its_battle(log: SqliteLog, post: tuple[Post, MailHost]) -> None:
    server, host = post
    table = "Łódź   龍   3/4  \n\n  Ann    wounded\n" + "x" * 2000
    put(log, "one", text=table, html="<table></table>")
    send(log, by_mail(host))
    put(log, "two")
    send(log, by_mail(host))
    first, second = server.mails
    body = first.get_body(("plain",))
    assert body.get_content().splitlines() == table.splitlines()
    assert body["Content-Type"].params["format"] == "fixed"
    assert first["In-Reply-To"] == second["In-Reply-To"] == second["References"]
    assert first["Message-ID"] != second["Message-ID"]
    assert first["To"] == "ann@example.org"
    assert first["Auto-Submitted"] == "auto-generated"


def test_a_subject_cannot_bring_in_a_header(log: SqliteLog, post: tuple[Post, MailHost]) -> None:
    server, host = post
    enqueue(log, "b", "ann", Letter("k", "Hi\r\nBcc: eve@example.org\x00", "text"), START)
    send(log, by_mail(host))
    (mail,) = server.mails
    assert mail["Bcc"] is None
    assert mail["Subject"].startswith("Hi Bcc:")


@pytest.mark.parametrize(
    ("answer", "outcome", "state"), [("550 no such user", "failed", "failed"), ("451 later", "pending", "pending")]
)
def test_what_is_refused_for_good_is_not_tried_again(
    log: SqliteLog, post: tuple[Post, MailHost], answer: str, outcome: str, state: str
) -> None:
    server, host = post
    put(log, "one")
    server.answers = [answer]
    (told,) = send(log, by_mail(host))
    assert (told.outcome, told.problem) == (outcome, answer)
    assert states(log) == [state]
    assert len(send(log, by_mail(host), START + HOUR)) == (state == "pending")
    log.outbox().retry("b")
    assert len(send(log, by_mail(host), START + HOUR)) == (state == "failed")
    assert states(log) == ["sent"]


def test_after_three_days_a_message_has_failed(log: SqliteLog) -> None:
    put(log, "one")
    book, when, tries = by_mail(down()), START, 0
    while states(log) == ["pending"] and tries <= MAX_TRIES:
        tries += len(send(log, book, when))
        when += HOUR
    assert states(log) == ["failed"]
    assert 72 <= (when - START) // HOUR <= 84


# ------------------------------------------------------------------------------------------------- webhooks


def test_a_webhook_gets_what_discord_takes_and_nobody_is_called(log: SqliteLog, hook: Any) -> None:
    enqueue(log, "b", "club", Letter("turn", "A turn", "Hello @everyone 👩"), START)
    assert send(log, by_hook(hook))[0].outcome == "sent"
    assert hook.taken == [{"content": "Hello @everyone 👩", "allowed_mentions": {"parse": []}}]


def test_a_webhook_that_asks_to_wait_is_left_alone_for_so_long(log: SqliteLog, hook: Any) -> None:
    enqueue(log, "b", "club", Letter("turn", "A turn", "Hello"), START)
    hook.answers = [429]
    assert send(log, by_hook(hook))[0].outcome == "pending"
    assert send(log, by_hook(hook), START + 29 * MINUTE) == []
    assert send(log, by_hook(hook), START + 31 * MINUTE)[0].outcome == "sent"


@pytest.mark.parametrize("code", [404, 302, 400])
def test_a_webhook_that_is_gone_has_failed_and_its_address_is_not_shown(log: SqliteLog, hook: Any, code: int) -> None:
    enqueue(log, "b", "club", Letter("turn", "A turn", "Hello"), START)
    hook.answers = [code]
    (told,) = send(log, by_hook(hook))
    assert told.outcome == "failed"
    assert str(code) in told.problem
    assert "SECRET" not in told.problem


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300), st.integers(2, 60))
def test_a_text_that_is_too_long_is_cut_to_the_limit_and_nothing_is_lost(text: str, limit: int) -> None:
    pieces = list(split(text, limit))
    assert all(size(piece) <= limit for piece in pieces)
    assert "".join(pieces).replace("\n", "") == text.replace("\n", "")
    assert all(piece.encode("utf-16-le") for piece in pieces if piece)


def test_l77_a_message_longer_than_a_board_takes_comes_in_parts(log: SqliteLog, hook: Any) -> None:
    lines = "\n".join(f"line {number:4d} 👩 {'x' * 60}" for number in range(500))
    enqueue(log, "b", "club", Letter("turn", "A turn", lines), START)
    send(log, by_hook(hook))
    assert all(size(body["content"]) <= LIMIT for body in hook.taken)
    assert "\n".join(body["content"] for body in hook.taken) == lines


# ------------------------------------------------------------------------------------------------- files


def test_files_are_always_written_and_open_as_mail(log: SqliteLog, tmp_path: Path, hook: Any) -> None:
    book = Recipients(
        {"../eve": Recipient("red"), "ann": Recipient("red", mail="ann@example.org"), **by_hook(hook).recipients}
    )
    for name in book.recipients:
        put(log, "one", name, html="<p>Hello</p>")
    out = tmp_path / "posts"
    assert [each.outcome for each in send(log, book, out=out)] == ["written", "written", "sent"]
    assert {path.parent for path in out.iterdir()} == {out}
    assert sorted(path.suffix for path in out.iterdir()) == [".eml"] * 3 + [".html"] * 3 + [".txt"] * 3
    for path in out.glob("*.eml"):
        mail = message_from_bytes(path.read_bytes(), policy=policy.default)
        body = mail.get_body(("plain",))
        assert body is not None
        assert body.get_content().split() == ["Hello"]
    assert states(log) == ["sent"] * 3


def test_without_a_way_to_somebody_messages_wait(log: SqliteLog) -> None:
    put(log, "one")
    put(log, "one", "stranger")
    assert send(log, Recipients({"ann": Recipient("red", mail="ann@example.org")})) == []
    assert states(log) == ["pending", "pending"]


# ------------------------------------------------------------------------------------------------- notices


def test_a_call_goes_to_all_once_and_a_reminder_to_those_who_are_missing(log: SqliteLog) -> None:
    from tests.toy import ToyRules

    battle = Table(log, "b", ToyRules())
    book = Recipients(
        {
            "ann": Recipient("red"),
            "bob": Recipient("blue"),
            "club": Recipient("spectator", webhook="https://x.example/"),
        }
    )
    call(battle, "+2d", "UTC", START, reminders=(86_400, 7200))

    def new(hours: int) -> list[tuple[str, str]]:
        before = len(log.outbox().messages())
        notices(log, battle, book, START + hours * HOUR)
        return [(each.recipient, each.subject) for each in log.outbox().messages()[before:]]

    subject = "A toy fight: orders for t1/blows"
    assert new(0) == [(name, f"{subject}, please") for name in ("ann", "bob", "club")]
    assert new(1) == []
    battle.order("red", "ann: hit bob")
    assert new(25) == [("bob", f"{subject}: 23 h left")]
    assert new(26) == []
    assert new(46) == [("bob", f"{subject}: 2 h left")]
    extend(battle, "+24h", "Bob is away", START)
    assert new(47) == [(name, f"{subject}, the deadline is moved") for name in ("ann", "bob", "club")]
    assert new(49) == [("bob", f"{subject}: 23 h left")]
    freeze(battle, "a dispute", START)
    assert new(60) == []
    discord = [each for each in log.outbox().messages() if each.recipient == "club"]
    assert "<t:" in discord[0].text
    mail = next(each for each in log.outbox().messages() if each.recipient == "ann")
    assert "Thursday 2026-03-05 12:00 UTC" in mail.text
    assert "<" in mail.html


# ------------------------------------------------------------------------------------------------- the verbs


def test_the_verbs_tell_what_waits_and_what_went(tmp_path: Path, post: tuple[Post, MailHost]) -> None:
    server, host = post
    book = tmp_path / "recipients.toml"
    book.write_text(
        f'[smtp]\nhost = "127.0.0.1"\nport = {host.port}\nsecurity = "none"\nfrom = "diary@example.org"\n'
        '[recipients.ann]\nviewer = "orcs"\nmail = "ann@example.org"\n',
        encoding="utf-8",
    )
    common = ["--db", str(tmp_path / "war.db")]

    def run(*words: str, code: int = 0) -> str:
        result = CliRunner().invoke(cli, [*words, *common])
        assert result.exit_code == code, result.output
        return result.output

    run("new", "ford", "--scenario", "dresda_skirmish")
    assert "empty" in run("outbox")
    run("call", "ford", "--until", "+2d", "--zone", "Europe/Berlin", "--to", str(book))
    assert "pending ann" in run("outbox", "ford")
    assert run("deliver", "--to", str(book)) == "sent    1 to ann of ford\n"
    assert "nothing is due" in run("tick", "--to", str(book)) + run("deliver", "--to", str(book))
    assert [each["state"] for each in json.loads(run("outbox", "--json"))] == ["sent"]
    assert "are due" in run("outbox", "--read", "1")
    assert "Europe/Berlin" in server.mails[0].get_body(("plain",)).get_content()
    assert "--to FILE" in run("deliver", code=2)
    assert "no battle" in run("outbox", "fort", code=1)
    (due,) = json.loads(run("due", "--json"))
    assert (sorted(due["missing"]), due["zone"]) == (["men", "orcs"], "Europe/Berlin")
