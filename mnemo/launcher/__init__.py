"""A local Neo4j server without Docker or a JDK."""
