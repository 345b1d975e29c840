"""Tools for those who write rule sets: battles without a log, checks, a working skeleton."""
