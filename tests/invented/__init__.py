"""Wrong answers that were written by people who had not read what the checks know."""
