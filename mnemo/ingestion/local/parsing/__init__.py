"""Chat English, normalized and parsed."""
