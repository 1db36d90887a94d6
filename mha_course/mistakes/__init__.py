"""The steps of which right answers consist, each with the mistakes."""
