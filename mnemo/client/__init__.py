"""The HTTP SDK."""
