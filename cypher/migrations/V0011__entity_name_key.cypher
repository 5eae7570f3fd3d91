// A name stands for one entity of a group, however many writers meet it at once.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT entity_name_key IF NOT EXISTS
FOR (node:Entity) REQUIRE (node.group, node.name_key) IS UNIQUE
