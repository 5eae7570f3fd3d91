// The uuid of a Tree node is unique.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT tree_uuid IF NOT EXISTS
FOR (node:Tree) REQUIRE node.uuid IS UNIQUE
