// No two Version nodes have one uuid.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT version_uuid IF NOT EXISTS
FOR (node:Version) REQUIRE node.uuid IS UNIQUE
