"""The lesson sublayer: its exercises, predictions and quiz. Its text is the notebook of that name."""
