"""Neo4j: the only package that talks to it."""
