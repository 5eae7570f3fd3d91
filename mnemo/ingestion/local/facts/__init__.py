"""The facts that clauses and names state."""
