"""A quiz on paper for each lesson, made from what the lesson asks anyway, and its key."""
