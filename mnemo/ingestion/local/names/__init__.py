"""Finds the people, places and things that a window names."""
