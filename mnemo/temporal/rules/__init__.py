"""The rules for time expressions, one kind per module."""
