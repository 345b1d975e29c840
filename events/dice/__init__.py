"""Dice as they are written: notation, what is rolled, public beacons."""
