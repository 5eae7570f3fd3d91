"""Plain text: how it is cut into sentences. Pure."""
