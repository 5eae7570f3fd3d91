// No two Episode nodes have one uuid.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT episode_uuid IF NOT EXISTS
FOR (node:Episode) REQUIRE node.uuid IS UNIQUE
