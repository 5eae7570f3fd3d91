// The uuid of a Hierarchy node is unique.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT hierarchy_uuid IF NOT EXISTS
FOR (node:Hierarchy) REQUIRE node.uuid IS UNIQUE
