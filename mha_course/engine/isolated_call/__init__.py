"""One call of a function that nobody knows: with copies, for a limited time, nothing shown. See docs/maintaining.md."""
