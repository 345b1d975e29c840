"""Drawing dice, and the secrets they are drawn from."""
