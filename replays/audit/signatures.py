"""Checking the signature of a seat's command (Ed25519). Needs the extra `keys` (cryptography)."""

from __future__ import annotations

from typing import Literal, TypeAlias

SignatureFinding: TypeAlias = Literal["genuine", "forged", "unchecked"]
"""What can be said of a signature; `unchecked` where `cryptography` is not installed."""

KEY_DIGITS, SIGNATURE_DIGITS = 64, 128


def is_public_key(text: str) -> bool:
    """Tell whether a text is a public key as the record holds it: 64 lower-case hex digits."""
    return len(text) == KEY_DIGITS and _is_hex(text)


def check_signature(public_key: str, signature: str, signed: bytes) -> SignatureFinding:
    """Check that a signature (hex) over some bytes was made with the private half of a key. About 60 microseconds."""
    if not is_public_key(public_key) or len(signature) != SIGNATURE_DIGITS or not _is_hex(signature):
        return "forged"
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return "unchecked"
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(bytes.fromhex(signature), signed)
    except (InvalidSignature, ValueError):
        return "forged"
    return "genuine"


def _is_hex(text: str) -> bool:
    return all(digit in "0123456789abcdef" for digit in text)
