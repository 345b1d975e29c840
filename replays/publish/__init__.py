"""Turns as posts: gathered from the record, laid out, written in the language of a board, split to its limit."""
