"""What a parsed sentence asserts, clause by clause."""
