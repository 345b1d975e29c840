"""What a seat signs: a salted commitment to the text of its command, never the text itself.

    commitment = SHA-256("wardiary/2 commitment\\n" salt text)
    signed     = "wardiary/2 command\\n" battle " " line " " seat " " commitment

`salt` is 32 hex digits, `text` the canonical JSON of the command. The commitment stands in the header of the event that
records the command, so everybody sees at once that the seat signed something there; salt and text are in its body and
come out with it. A sealed order is the same thing: its receipt is the commitment.

The number of texts that somebody may commit to is small. The salt is what keeps a commitment from being guessed.
"""

from __future__ import annotations

import re
from hashlib import sha256

_SALT = re.compile(r"[0-9a-f]{32}")


def is_command_salt(text: str) -> bool:
    """Tell whether a text is a salt as commands use it: 32 lower-case hex digits.

    >>> is_command_salt("00112233445566778899aabbccddeeff"), is_command_salt("mysalt")
    (True, False)
    """
    return _SALT.fullmatch(text) is not None


def commitment_to(salt: str, text: str) -> str:
    """Return the commitment to the text of a command: 64 hex digits.

    >>> commitment_to("00112233445566778899aabbccddeeff", "{}")[:16]
    'c80f6bdcece32c49'
    """
    return sha256(f"wardiary/2 commitment\n{salt}{text}".encode()).hexdigest()


def signed_bytes(battle: str, line: str, seat: str, commitment: str) -> bytes:
    """Return what a seat's key signs for a command."""
    return f"wardiary/2 command\n{battle} {line} {seat} {commitment}".encode()
