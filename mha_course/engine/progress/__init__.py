"""What the learner has done, whether everything is installed, and updates of the lessons."""
