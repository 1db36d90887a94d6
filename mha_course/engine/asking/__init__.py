"""What a course asks: questions, the kinds of answer to them, and the session that asks them."""
