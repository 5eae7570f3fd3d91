// No two Edge nodes have one uuid.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT edge_uuid IF NOT EXISTS
FOR (node:Edge) REQUIRE node.uuid IS UNIQUE
