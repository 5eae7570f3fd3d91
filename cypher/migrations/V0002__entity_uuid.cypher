// No two Entity nodes have one uuid.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT entity_uuid IF NOT EXISTS
FOR (node:Entity) REQUIRE node.uuid IS UNIQUE
