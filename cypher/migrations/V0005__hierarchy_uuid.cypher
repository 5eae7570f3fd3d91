// No two Hierarchy nodes have one uuid.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT hierarchy_uuid IF NOT EXISTS
FOR (node:Hierarchy) REQUIRE node.uuid IS UNIQUE
