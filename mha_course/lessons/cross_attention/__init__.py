"""The lesson cross_attention: its exercises, predictions and quiz. Its text is the notebook of that name."""
