"""Categories and memtree in the database."""
