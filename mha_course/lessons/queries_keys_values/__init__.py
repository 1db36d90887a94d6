"""The lesson queries_keys_values: its exercises, predictions and quiz. Its text is the notebook of that name."""
