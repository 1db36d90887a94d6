"""The lesson stacks: its exercises, predictions and quiz. Its text is the notebook of that name."""
