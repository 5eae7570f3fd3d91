"""Plain text and its sentences. Pure."""
