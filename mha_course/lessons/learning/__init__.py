"""The lesson learning: its exercises, predictions and quiz. Its text is the notebook of that name."""
