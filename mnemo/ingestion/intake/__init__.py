"""From what a user hands over to episodes: checks, chunks, previews."""
