"""The pictures of the course: arrays in, text out. The same arrays give the same bytes."""
