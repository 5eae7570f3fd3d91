// The uuid of an Entity node is unique.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT entity_uuid IF NOT EXISTS
FOR (node:Entity) REQUIRE node.uuid IS UNIQUE
