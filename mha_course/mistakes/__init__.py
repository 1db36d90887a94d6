"""The mistakes that several exercises know, each with its reason; the form is that of `exercise_text`."""
