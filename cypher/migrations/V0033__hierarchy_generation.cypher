// One hierarchy a group, kind and generation, whoever makes it first.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT hierarchy_generation IF NOT EXISTS
FOR (node:Hierarchy) REQUIRE (node.group, node.kind, node.generation) IS UNIQUE
