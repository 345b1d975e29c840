"""What happened: typed, frozen facts, and the log that keeps them."""

__wardiary__ = "events"
