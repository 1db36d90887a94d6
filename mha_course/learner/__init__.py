"""What the learner has done, and whether everything is installed."""
