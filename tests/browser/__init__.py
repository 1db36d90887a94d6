"""What is looked at in a real browser, which runs from the first of these tests to the last."""
