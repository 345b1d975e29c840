"""The rule sets that come with War Diary, one folder each."""
