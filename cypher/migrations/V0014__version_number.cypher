// A version number is unique within its tree.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT version_number IF NOT EXISTS
FOR (node:Version) REQUIRE (node.group, node.tree, node.number) IS UNIQUE
