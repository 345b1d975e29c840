"""Keys that people hold: seats sign commands, and a vault is handed over under a passphrase."""

from __future__ import annotations

import stat
import subprocess
from pathlib import Path

import pytest

from engine.keys.errors import KeyRefused
from engine.keys.seat_key import load_key, new_key, public_key_of, sign
from engine.keys.vault_file import lock, unlock
from events.store.commitments import commitment_to, signed_bytes
from replays.audit.signatures import check_signature

SALT = "00112233445566778899aabbccddeeff"
SIGNED = signed_bytes("ford", "main", "red", commitment_to(SALT, '{"command":"proceed"}'))
WORDS = "correct horse battery"


def test_a_signature_holds_for_its_own_bytes_and_key_alone(tmp_path: Path) -> None:
    public = new_key(tmp_path / "red.pem", WORDS)
    signature = sign(load_key(tmp_path / "red.pem", WORDS), SIGNED)
    assert check_signature(public, signature, SIGNED) == "genuine"
    assert check_signature(public, signature, SIGNED + b" ") == "forged"
    assert check_signature(new_key(tmp_path / "blue.pem", WORDS), signature, SIGNED) == "forged"
    for bad in ("", "zz" * 64, signature[:-2], signature.upper()):
        assert check_signature(public, bad, SIGNED) == "forged"


def test_only_the_owner_can_read_a_key_file_and_it_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "red.pem"
    public = new_key(path, WORDS)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(KeyRefused, match="there already"):
        new_key(path, WORDS)
    assert public_key_of(load_key(path, WORDS)) == public


def test_a_key_file_opens_with_its_passphrase_alone(tmp_path: Path) -> None:
    new_key(tmp_path / "red.pem", WORDS)
    for wrong in ("", "another passphrase"):
        with pytest.raises(KeyRefused, match="passphrase"):
            load_key(tmp_path / "red.pem", wrong)
    (tmp_path / "text.pem").write_text("nothing of the kind", encoding="utf-8")
    with pytest.raises(KeyRefused, match=r"text\.pem"):
        load_key(tmp_path / "text.pem", WORDS)
    with pytest.raises(KeyRefused, match="cannot be read"):
        load_key(tmp_path / "gone.pem", WORDS)
    with pytest.raises(KeyRefused, match="empty"):
        new_key(tmp_path / "bare.pem", "")


def test_openssl_signs_and_checks_the_very_same_bytes(tmp_path: Path) -> None:
    def openssl(*words: str) -> bytes:
        return subprocess.run(["openssl", *words], capture_output=True, check=True, cwd=tmp_path).stdout

    openssl("genpkey", "-algorithm", "ed25519", "-aes256", "-pass", f"pass:{WORDS}", "-out", "theirs.pem")
    (tmp_path / "bytes").write_bytes(SIGNED)
    signature = openssl(
        "pkeyutl", "-sign", "-rawin", "-inkey", "theirs.pem", "-passin", f"pass:{WORDS}", "-in", "bytes"
    )
    public = openssl("pkey", "-in", "theirs.pem", "-passin", f"pass:{WORDS}", "-pubout", "-outform", "DER")[-32:].hex()
    assert check_signature(public, signature.hex(), SIGNED) == "genuine"
    assert sign(load_key(tmp_path / "theirs.pem", WORDS), SIGNED) == signature.hex()


def test_a_vault_opens_with_its_passphrase_beside_its_record_alone() -> None:
    secrets = {"c0ffee": "ab" * 32, "salts/ford": "cd" * 32}
    text = lock(secrets, WORDS, "digest of the battle", bytes(range(28)))
    assert unlock(text, WORDS, "digest of the battle") == secrets
    assert not any(root in text for root in secrets.values())
    for words, record in (("another passphrase", "digest of the battle"), (WORDS, "another digest")):
        with pytest.raises(KeyRefused, match="does not open"):
            unlock(text, words, record)


@pytest.mark.parametrize(
    "damage", ["", "wardiary-vault/2 a b c", "wardiary-vault/1 %% AA AA", "wardiary-vault/1 AA AA AA"]
)
def test_a_damaged_vault_is_refused(damage: str) -> None:
    with pytest.raises(KeyRefused, match="vault in this file"):
        unlock(damage, WORDS, "")


def test_a_short_passphrase_is_refused_for_a_vault() -> None:
    with pytest.raises(KeyRefused, match="12 characters"):
        lock({}, "short", "", bytes(28))
