"""A seat's signing key: Ed25519, kept in an encrypted PEM file that `openssl` reads, too."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from engine.keys.errors import ExtraMissing, KeyRefused

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def new_key(path: Path, passphrase: str) -> str:
    """Write a new private key to a file that only its owner can read; return the public key in hex.

    Raises `KeyRefused` if the file is there already, cannot be written, or the passphrase is empty; `ExtraMissing`.
    """
    _need_extra()
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat

    if not passphrase:
        raise KeyRefused("the passphrase is empty: a key file without one signs for whoever finds it")
    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(passphrase.encode()))
    try:
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise KeyRefused(f"{path} is there already: a key is never overwritten, choose another name") from error
    except OSError as error:
        raise KeyRefused(f"{path} cannot be written: {error.strerror}") from error
    with os.fdopen(number, "wb") as file:
        file.write(pem)
    return public_key_of(key)


def load_key(path: Path, passphrase: str) -> Ed25519PrivateKey:
    """Read a private key. Raises `KeyRefused` for a wrong passphrase or another kind of file; `ExtraMissing`."""
    _need_extra()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        pem = path.read_bytes()
    except OSError as error:
        raise KeyRefused(f"{path} cannot be read: {error.strerror}") from error
    try:
        key = load_pem_private_key(pem, passphrase.encode() or None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise KeyRefused(f"{path} is no key file, or the passphrase is not its own") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyRefused(f"{path} holds another kind of key: seats sign with Ed25519")
    return key


def public_key_of(key: Ed25519PrivateKey) -> str:
    """Return the public half of a key in hex, as the record holds it."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def sign(key: Ed25519PrivateKey, signed: bytes) -> str:
    """Return the signature over some bytes in hex. About 20 microseconds."""
    return key.sign(signed).hex()


def _need_extra() -> None:
    try:
        import cryptography  # noqa: F401
    except ImportError as error:
        raise ExtraMissing("signing", "keys") from error
