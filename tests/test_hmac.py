"""The keyed digest behind the dice: the answers of RFC 4231, and the same from SHA-256 alone."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replays.audit.proof import keyed_digest

RFC_4231 = {
    1: (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    2: (b"Jefe", b"what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    3: (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    4: (
        bytes(range(1, 26)),
        b"\xcd" * 50,
        "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
    ),
    6: (
        b"\xaa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    7: (
        b"\xaa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. "
        b"The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
}


@pytest.mark.parametrize("case", RFC_4231)
def test_the_published_answers(case: int) -> None:
    key, data, digest = RFC_4231[case]
    assert keyed_digest(key, data).hex() == digest


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_it_is_two_rounds_of_sha_256(key: bytes, text: bytes) -> None:
    block = (sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = sha256(bytes(byte ^ 0x36 for byte in block) + text).digest()
    assert keyed_digest(key, text) == sha256(bytes(byte ^ 0x5C for byte in block) + inner).digest()
