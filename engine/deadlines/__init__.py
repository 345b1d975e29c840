"""The calendar of a battle: deadlines by the clock on the wall, and moving on when their time has come."""
