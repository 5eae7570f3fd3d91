// The uuid of an Edge node is unique.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT edge_uuid IF NOT EXISTS
FOR (node:Edge) REQUIRE node.uuid IS UNIQUE
