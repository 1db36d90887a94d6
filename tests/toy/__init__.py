"""A small course on another subject, signals: the engine knows no more of it than of attention."""
