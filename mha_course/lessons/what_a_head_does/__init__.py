"""The lesson what_a_head_does: its exercises, predictions and quiz. Its text is the notebook of that name."""
