"""The lesson reading_code: its exercises, predictions and quiz. Its text is the notebook of that name."""
