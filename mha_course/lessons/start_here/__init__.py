"""The lesson start_here: its predictions and quiz. Its text is the notebook of that name."""
