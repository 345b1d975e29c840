"""What it adds up to: pure folds over events."""

__wardiary__ = "projections"
