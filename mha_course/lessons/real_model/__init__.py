"""The lesson on a real model: its exercises, predictions and quiz. Its text is the notebook of that name."""
