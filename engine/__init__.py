"""Acting: rules as procedures, dice, the table where a battle is run, the command line."""

__wardiary__ = "engine"
