"""The lesson residual_and_norm: its exercises, predictions and quiz. Its text is the notebook of that name."""
