"""The field of battle: exact geometry in whole millimetres, whole degrees and hexes, the same on every machine."""
