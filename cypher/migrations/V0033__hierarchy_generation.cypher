// One hierarchy per group, kind and generation, even with concurrent writers.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT hierarchy_generation IF NOT EXISTS
FOR (node:Hierarchy) REQUIRE (node.group, node.kind, node.generation) IS UNIQUE
