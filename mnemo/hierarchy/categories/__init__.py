"""Mnemis categories over entities: built, named, placed into and kept up to date."""
