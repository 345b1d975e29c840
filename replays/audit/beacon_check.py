"""Checking the signature of a public beacon's round, offline. Needs the extra `beacon` (py_ecc).

drand's network "quicknet" signs each round on the curve BLS12-381: the signature is a point of G1, the public key one
of G2 (scheme bls-unchained-g1-rfc9380). What is signed is the SHA-256 of the round's number as eight bytes, big endian.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from importlib.util import find_spec
from typing import Literal, TypeAlias

Finding: TypeAlias = Literal["genuine", "forged", "unchecked"]
"""What can be said of a round's signature; `unchecked` where the beacon is not known here or `py_ecc` is missing."""

_QUICKNET = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
_KEYS = {"quicknet": _QUICKNET}
_TAG = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
_SIGNATURE_BYTES = 48


def can_check(beacon: str) -> bool:
    """Tell whether signatures of a beacon can be checked here."""
    if beacon not in _KEYS:
        return False
    return find_spec("py_ecc") is not None


def check_round(beacon: str, number: int, signature: str) -> Finding:
    """Check that a signature (hex) is that of a round. About a third of a second.

    >>> check_round("another", 1, "00")
    'unchecked'
    """
    if beacon not in _KEYS:
        return "unchecked"
    try:
        raw = bytes.fromhex(signature)
    except ValueError:
        return "forged"
    if len(raw) != _SIGNATURE_BYTES or not 0 < number < 2**64:
        return "forged"
    if not can_check(beacon):
        return "unchecked"
    return "genuine" if _holds(_KEYS[beacon], sha256(number.to_bytes(8, "big")).digest(), raw) else "forged"


def _holds(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether e(signature, G2) = e(hash(message), key)."""
    limit = sys.getrecursionlimit()
    from py_ecc.bls import g2_primitives, hash_to_curve
    from py_ecc.optimized_bls12_381 import FQ12, G2, final_exponentiate, neg, pairing

    sys.setrecursionlimit(limit)  # importing py_ecc raises it so far that deep JSON would crash the process
    try:
        signed = g2_primitives.pubkey_to_G1(signature)  # the encoding of a G1 point, whatever it stands for
        public = g2_primitives.signature_to_G2(key)
    except ValueError:
        return False
    if not g2_primitives.subgroup_check(signed):
        return False
    hashed = hash_to_curve.hash_to_G1(message, _TAG, sha256)
    both = pairing(G2, signed, final_exponentiate=False) * pairing(public, neg(hashed), final_exponentiate=False)
    return bool(final_exponentiate(both) == FQ12.one())
