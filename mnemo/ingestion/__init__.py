"""From messages to the base graph."""
