"""Facts from clauses, names and phrases."""
