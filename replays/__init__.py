"""Looking back: seek, step, check the record. Reads only."""

__wardiary__ = "replays"
