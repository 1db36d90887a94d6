"""The general part of what is seen: markup, tables of numbers, cards, forms."""
