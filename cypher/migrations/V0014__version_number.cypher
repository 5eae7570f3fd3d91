// A version's number is used once within its tree.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT version_number IF NOT EXISTS
FOR (node:Version) REQUIRE (node.group, node.tree, node.number) IS UNIQUE
