"""What the learner writes, and what is told back: right, a mistake by its name, or the first difference."""
