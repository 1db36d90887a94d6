"""Numbers as text: labels, digits, reading an entry, arithmetic that remembers how it was made."""
