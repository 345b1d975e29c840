"""Writing files: whole or not at all, never in place of a link, a pipe or a device, and one clear line for trouble."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import pytest
from click.testing import CliRunner

from engine.cli.main import cli
from engine.output import OutputRefused, write_file, written_whole
from events.store.errors import LogUnusable

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and permissions are other things there")


def nothing_left(folder: Path) -> bool:
    """Tell that no part of a file stayed behind."""
    return not [each for each in folder.iterdir() if "part" in each.name]


def test_a_file_is_replaced_whole_and_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "out.svg"
    file.write_text("before")
    file.chmod(0o640)
    write_file(file, b"after")
    assert (file.read_bytes(), stat.S_IMODE(file.stat().st_mode)) == (b"after", 0o640)
    assert nothing_left(tmp_path)


@pytest.mark.parametrize("error", [RuntimeError("a fault"), LogUnusable("the log is gone"), KeyboardInterrupt()])
def test_what_cannot_be_finished_leaves_the_old_file(tmp_path: Path, error: BaseException) -> None:
    file = tmp_path / "out.svg"
    file.write_text("before")

    def half() -> None:
        with written_whole(file) as out:
            out.write(b"half")
            raise error

    with pytest.raises(type(error)):
        half()
    assert file.read_text() == "before"
    assert nothing_left(tmp_path)


def test_a_link_stays_and_the_file_that_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    for name, target in (("link", "there/file"), ("chain", "link"), ("dangling", "there/new")):
        (tmp_path / name).symlink_to(target)
    for name in ("link", "chain", "dangling"):
        write_file(tmp_path / name, name.encode())
        assert (tmp_path / name).is_symlink()
    assert ((tmp_path / "there/file").read_text(), (tmp_path / "there/new").read_text()) == ("chain", "dangling")


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_file(pipe, b"x" * 200_000)
    reader.join(10)
    assert read == [b"x" * 200_000]
    assert stat.S_ISFIFO(pipe.lstat().st_mode)


def test_a_device_is_written_to_and_stays_a_device(tmp_path: Path) -> None:
    device = tmp_path / "null"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        device.write_bytes(b"x")
    except OSError:
        pytest.skip("devices are made by root alone, and not everywhere")
    write_file(device, b"x")
    assert stat.S_ISCHR(device.lstat().st_mode)


def test_whatever_the_system_refuses_is_one_line_that_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_text("")
    bad = [
        tmp_path, tmp_path / "no folder" / "out", tmp_path / "loop", tmp_path / "file" / "out", tmp_path / ("x" * 300),
        tmp_path / "nul\0",
    ]  # fmt: skip
    for path in bad:
        with pytest.raises(OutputRefused) as refused:
            write_file(path, b"x")
        assert (refused.value.code, "\n" in str(refused.value)) == ("output/refused", False)
        assert str(path) in str(refused.value)
    assert nothing_left(tmp_path)


# --------------------------------------------------------------------------------- the command line as a whole


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder with a battle, and one in it that nobody but root may enter."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        ran = run("new", "b", "--scenario", "rhand_duel", folder=folder)
        assert ran.returncode == 0, ran.stderr
        (folder / "closed").mkdir()
        (folder / "closed/war.db").write_text("")
        (folder / "open").mkdir()
        assert run("export", "b", "good.jsonl", folder=folder).returncode == 0
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            for words in CLOSED:  # whoever is not root may not be able to import what a verb needs
                CliRunner().invoke(cli, [word.replace("closed/", "open/") for word in words])
        for each in folder.glob("war.db*"):
            each.chmod(0o666)
        (folder / "closed").chmod(0)
        yield folder
        (folder / "closed").chmod(0o700)


@pytest.fixture
def not_root(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Be somebody whom permissions stop."""
    monkeypatch.chdir(folder)
    user = os.geteuid()
    if not user:
        os.seteuid(65534)
    yield
    os.seteuid(user)


def run(*words: str, folder: Path, redirect: str = "", largest: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run `wardiary` in a shell; `largest` is the size of the largest file that it may write."""

    def limit() -> None:
        if largest is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

    return subprocess.run(
        ["sh", "-c", f'exec "$0" "$@" {redirect}', sys.executable, "-m", "wardiary", *words],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}, preexec_fn=limit,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def assert_one_line(code: int, stderr: str, words: object) -> None:
    assert code in (1, 2), (words, stderr)
    assert stderr.startswith("wardiary: "), (words, stderr)
    assert stderr.count("\n") == 1, (words, stderr)


CLOSED = (
    ("show", "b", "--db", "closed/war.db"), ("new", "c", "--scenario", "closed/s.toml"), ("import", "closed/x.jsonl"),
    ("import", "good.jsonl", "--db", "closed/new.db"), ("verify", "closed/x.jsonl"), ("export", "b", "closed/x.jsonl"),
    ("show", "b", "--svg", "closed/x.svg"), ("feed", "b", "--out", "closed/x"), ("replay", "b", "--html", "closed/x"),
    ("roster", "b", "closed/x"), ("ics", "b", "closed/x"), ("dice", "b", "--html", "closed/x"),
    ("dice", "--import", "closed/x", "--from", "phpbb"), ("tables", "rhand", "--copy", "closed/x"),
    ("tables", "rhand", "--check", "closed/x"), ("backup", "closed/x"), ("demo", "--keep", "closed/x"),
    ("deliver", "--to", "closed/x"), ("post", "b", "--for", "closed/x.toml"), ("orders", "b", "closed/x"),
)  # fmt: skip


def one_line(words: Sequence[str]) -> str:
    ran = CliRunner().invoke(cli, words)
    assert ran.exception is None or isinstance(ran.exception, SystemExit), (words, ran.exception)
    assert_one_line(ran.exit_code, ran.stderr, words)
    return ran.stderr


@pytest.mark.usefixtures("not_root")
@pytest.mark.parametrize("words", CLOSED, ids=" ".join)
def test_a_folder_that_one_may_not_enter_is_told_in_one_line(words: tuple[str, ...]) -> None:
    assert "closed" in one_line(words)


@pytest.mark.usefixtures("not_root")
@pytest.mark.parametrize("words", CLOSED, ids=" ".join)
def test_a_name_that_is_too_long_is_told_in_one_line(words: tuple[str, ...]) -> None:
    assert "x" * 100 in one_line([word.replace("closed/", "x" * 300) for word in words])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device")
@pytest.mark.parametrize("words", [("log", "b"), ("battles",), ("export", "b", "-"), ("rules", "rhand")])
def test_standard_output_that_takes_nothing_is_told_in_one_line(folder: Path, words: tuple[str, ...]) -> None:
    ran = run(*words, folder=folder, redirect="> /dev/full")
    assert_one_line(ran.returncode, ran.stderr, words)
    assert "standard output" in ran.stderr


def test_closed_streams_are_as_good_as_empty_ones(folder: Path) -> None:
    ran = run("orders", "b", "-", folder=folder, redirect="<&-")
    assert_one_line(ran.returncode, ran.stderr, "orders")
    assert run("replay", "b", folder=folder, redirect="<&-").returncode == 0
    assert run("log", "b", folder=folder, redirect=">&-").returncode == 0
    assert run("log", "nobody", folder=folder, redirect="2>&-").returncode == 1


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
def test_a_sheet_that_never_ends_is_refused(folder: Path) -> None:
    ran = run("orders", "b", "/dev/zero", folder=folder)
    assert_one_line(ran.returncode, ran.stderr, "orders")
    assert "more than" in ran.stderr


def test_a_dash_is_standard_output_wherever_a_file_is_written(folder: Path) -> None:
    for words, begins in (
        (("export", "b", "-"), '{"is":"battle"'), (("show", "b", "--svg", "-"), "<svg"), (("ics", "b", "-"), "BEGIN:"),
        (("replay", "b", "--html", "-"), "<!"), (("dice", "b", "--html", "-"), "<!"), (("roster", "b", "-"), ""),
        (("feed", "b", "--out", "-"), "<?xml"), (("post", "b", "--for", "mail", "--preview", "--out", "-"), ""),
    ):  # fmt: skip
        ran = run(*words, folder=folder)
        assert (ran.returncode, ran.stdout[: len(begins)].lower()) == (0, begins.lower()), (words, ran.stderr)
        assert ran.stdout
        assert ran.stderr, words
    assert not (folder / "-").exists()


def test_reading_goes_on_where_nothing_can_be_written_any_more(folder: Path) -> None:
    for words in (("show", "b"), ("log", "b"), ("battles",), ("verify", "b"), ("dice", "b"), ("doctor",)):
        ran = run(*words, folder=folder, largest=0)
        assert ran.returncode == 0, (words, ran.stderr)
    ran = run("note", "b", "x", folder=folder, largest=0)
    assert_one_line(ran.returncode, ran.stderr, "note")
