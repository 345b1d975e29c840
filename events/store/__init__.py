"""Stores of events: what every log promises, and the ones that keep it."""
