"""What the course asks: predictions whose truth is computed, and a short quiz for every lesson."""
