"""The lesson five_treatments: its exercises, predictions and quiz. Its text is the notebook of that name."""
