"""The steps of which right answers consist, each with the wrong ways to do it."""
