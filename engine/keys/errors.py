"""What can be wrong with a key file, a passphrase or an encrypted vault."""

from __future__ import annotations

from events.errors import DiaryError


class KeyRefused(DiaryError, ValueError):
    """A key file or a passphrase cannot be used; the message says which and why."""

    code = "key/refused"


class ExtraMissing(DiaryError, ImportError):
    """Something needs an optional part of War Diary that is not installed. `extra` names it."""

    code = "install/extra-missing"

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra {extra!r}: pip install 'wardiary[{extra}]'")
        self.extra = extra
