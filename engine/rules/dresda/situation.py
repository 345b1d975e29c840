"""What every procedure of Dresda works on: the state of the battle, and the tables in force."""

from __future__ import annotations

from typing import TypeAlias

from engine.rules import rule_set
from engine.rules.dresda.tables import Tables
from projections.dresda.state import Battlefield

Situation: TypeAlias = rule_set.Situation[Battlefield, Tables]
