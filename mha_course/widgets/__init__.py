"""What a hand did, and what the screen has to change. The only room that knows the browser and its widgets."""
