"""The tests do not depend on the environment of whoever runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ("test_cli.py", "test_opening.py", "test_by_post.py", "test_posts_out.py", "test_ics.py")
HOSTILE = {
    "WARDIARY_DB": "/nowhere/else.db",
    "WARDIARY_RECIPIENTS": "/nowhere/recipients.toml",
    "COLUMNS": "31",
    "TZ": "Pacific/Chatham",
    "LC_ALL": "tr_TR.ISO-8859-9",
    "LANG": "C",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
    "PYTHONHASHSEED": "4711",
    "NO_COLOR": "1",
    "TERM": "dumb",
}


def test_tests_pass_in_a_hostile_environment(tmp_path: Path) -> None:
    keep = {name: value for name, value in os.environ.items() if name in ("PATH", "VIRTUAL_ENV", "SYSTEMROOT")}
    words = ["-n0", "-q", "-x", "-p", "no:cacheprovider", f"--basetemp={tmp_path / 'base'}"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *words, *(f"tests/{module}" for module in MODULES)],
        cwd=ROOT, env={**keep, **HOSTILE}, capture_output=True, text=True, encoding="utf-8", errors="replace",
        check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-1000:]
