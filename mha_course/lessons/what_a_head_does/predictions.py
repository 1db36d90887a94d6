"""What this lesson asks before its cells run."""

PREDICTIONS = {}
