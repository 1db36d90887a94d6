"""A course in use: its lessons, what they hold by name, and the words that a notebook calls."""
