"""The whole path of one attention as plain values: what can be changed, and all that follows from it."""
