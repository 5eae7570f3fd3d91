"""Mnemis categories over entities: building, naming, placing and keeping them up to date."""
