"""Widgets: what stands between a session in Python and the page that shows it."""
