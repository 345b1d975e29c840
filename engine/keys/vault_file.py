"""A vault on its way to another keeper: encrypted under a passphrase (scrypt, ChaCha20-Poly1305).

The text is `wardiary-vault/1 SALT NONCE BOX`, the last three in base64. The battle's digest goes in as associated data,
so that a vault opens only beside the record that it belongs to.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from engine.keys.errors import ExtraMissing, KeyRefused

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

FORMAT = "wardiary-vault/1"
_COST = 2**15
"""Cost of scrypt: about 0.1 s and 32 MiB a try."""
_SALT_BYTES, _NONCE_BYTES = 16, 12
_MAX_BYTES = 64 * 1024 * 1024


def lock(secrets: Mapping[str, str], passphrase: str, belongs_to: str, entropy: bytes) -> str:
    """Encrypt secrets (commitment → root) under a passphrase. `entropy` is 28 fresh random bytes.

    Raises `KeyRefused` for a passphrase of fewer than 12 characters, `ExtraMissing`.
    """
    if len(passphrase) < 12:
        raise KeyRefused("the passphrase is too short: a vault needs 12 characters, better four words")
    salt, nonce = entropy[:_SALT_BYTES], entropy[_SALT_BYTES : _SALT_BYTES + _NONCE_BYTES]
    cipher = _cipher(passphrase, salt)
    box = cipher.encrypt(nonce, msgspec.json.encode(dict(secrets), order="deterministic"), belongs_to.encode())
    return " ".join((FORMAT, *(b64encode(part).decode() for part in (salt, nonce, box))))


def unlock(text: str, passphrase: str, belongs_to: str) -> dict[str, str]:
    """Return the secrets of an encrypted vault. Raises `KeyRefused`, `ExtraMissing`."""
    parts = text.split(" ")
    if len(parts) != 4 or parts[0] != FORMAT or len(text) > _MAX_BYTES:
        raise KeyRefused(f"the vault in this file is not of the form {FORMAT!r}")
    try:
        salt, nonce, box = (b64decode(part, validate=True) for part in parts[1:])
    except NotBase64 as error:
        raise KeyRefused("the vault in this file is damaged: it is not base64") from error
    if len(salt) != _SALT_BYTES or len(nonce) != _NONCE_BYTES:
        raise KeyRefused("the vault in this file is damaged: its salt or nonce has another length")
    cipher = _cipher(passphrase, salt)
    from cryptography.exceptions import InvalidTag

    try:
        plain = cipher.decrypt(nonce, box, belongs_to.encode())
        return msgspec.json.decode(plain, type=dict[str, str])
    except (InvalidTag, msgspec.MsgspecError) as error:
        raise KeyRefused("the passphrase does not open this vault, or the vault belongs to another record") from error


def _cipher(passphrase: str, salt: bytes) -> ChaCha20Poly1305:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
        from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
    except ImportError as error:
        raise ExtraMissing("handing a vault over", "keys") from error
    return ChaCha20Poly1305(Scrypt(salt=salt, length=32, n=_COST, r=8, p=1).derive(passphrase.encode()))
