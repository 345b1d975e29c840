"""Keys that people hold: a seat's signing key, and the passphrase under which a vault is handed over."""
