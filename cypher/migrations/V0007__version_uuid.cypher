// The uuid of a Version node is unique.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT version_uuid IF NOT EXISTS
FOR (node:Version) REQUIRE node.uuid IS UNIQUE
