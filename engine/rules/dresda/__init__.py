"""Dresda, the 1996 fantasy skirmish: its procedures, orders, list of rules and tables."""
