"""What every procedure of a mass battle works on: the state of the battle, and the tables in force."""

from __future__ import annotations

from typing import TypeAlias

from engine.rules import rule_set
from engine.rules.ice_and_fire.tables import Tables
from projections.ice_and_fire.state import BattleField

Situation: TypeAlias = rule_set.Situation[BattleField, Tables]
