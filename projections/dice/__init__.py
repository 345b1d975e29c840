"""Projections of the dice: ledger, luck, fairness, odds."""
