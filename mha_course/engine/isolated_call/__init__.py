"""One call of a function that nobody knows: with copies, for a limited time, and with nothing shown."""
