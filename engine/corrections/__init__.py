"""Putting right: undo, strike, amend, adopt. Nothing is removed; a new line becomes the battle, the old one stays."""
