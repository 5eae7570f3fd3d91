"""Checks messages, cuts them into episodes, and previews imports."""
