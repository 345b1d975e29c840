"""A rule set for War Diary."""
