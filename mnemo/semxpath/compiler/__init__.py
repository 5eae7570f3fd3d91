"""From a parsed query to one Cypher statement."""
