"""Everything that talks to Neo4j; no other package imports the driver."""
