"""The way of one row through the attention, stop by stop."""
