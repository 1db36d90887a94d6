"""The lesson heads_that_learn: its exercises, predictions and quiz. Its text is the notebook of that name."""
