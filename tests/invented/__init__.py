"""Wrong answers that were invented without a look at what the checks know."""
