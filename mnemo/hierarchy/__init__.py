"""Categories over entities and episodes: built, placed, grown online."""
