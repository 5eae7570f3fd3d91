// The uuid of an Episode node is unique.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT episode_uuid IF NOT EXISTS
FOR (node:Episode) REQUIRE node.uuid IS UNIQUE
