"""The lesson find_the_bug: its exercises, predictions and quiz. Its text is the notebook of that name."""
