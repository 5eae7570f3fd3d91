"""The clauses of a parsed sentence and what they assert."""
