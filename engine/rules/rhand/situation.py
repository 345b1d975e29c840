"""What every procedure of Rhand works on: the state of the battle, and the tables in force."""

from __future__ import annotations

from typing import TypeAlias

from engine.rules import rule_set
from engine.rules.rhand.tables import Tables
from projections.rhand.state import Rhand

Situation: TypeAlias = rule_set.Situation[Rhand, Tables]
