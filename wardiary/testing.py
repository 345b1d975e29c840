"""For the tests of a rule set: battles without a log, single procedures, the checks of `wardiary rules --check`."""

from engine.authoring.bare import BareBattle as BareBattle
from engine.authoring.bare import resolve as resolve
from engine.authoring.checks import check_definition as check_definition
from engine.authoring.checks import check_play as check_play
from engine.authoring.checks import check_record as check_record
from engine.authoring.checks import check_samples as check_samples
from engine.opening import read_scenario as read_scenario
