"""Compiles a parsed query into one Cypher statement."""
