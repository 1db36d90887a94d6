"""Where is the class stuck? One page from what the students handed in."""
