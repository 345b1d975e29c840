"""Vanguard: foot and horse on a map of hexes."""
