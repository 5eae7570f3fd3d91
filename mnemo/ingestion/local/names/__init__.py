"""People, places and things that a window names."""
