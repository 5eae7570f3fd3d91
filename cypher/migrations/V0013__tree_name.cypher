// The name of a tree is unique within its group.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT tree_name IF NOT EXISTS
FOR (node:Tree) REQUIRE (node.group, node.name) IS UNIQUE
