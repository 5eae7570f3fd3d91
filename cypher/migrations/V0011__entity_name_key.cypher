// A normalised name belongs to one entity of a group, even with concurrent writers.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT entity_name_key IF NOT EXISTS
FOR (node:Entity) REQUIRE (node.group, node.name_key) IS UNIQUE
