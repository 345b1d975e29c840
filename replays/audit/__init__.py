"""Checking a record: the hash chain, the dice, exports and extracts."""
