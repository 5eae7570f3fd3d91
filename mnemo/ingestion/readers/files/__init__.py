"""Files on their way in: folders, archives, encodings, JSON."""
