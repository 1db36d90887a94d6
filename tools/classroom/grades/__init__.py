"""The way back: points from nbgrader's gradebook into the sheet that a learning platform gave."""
