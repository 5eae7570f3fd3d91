"""Evidence recall on LoCoMo."""
