// No two Category nodes have one uuid.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT category_uuid IF NOT EXISTS
FOR (node:Category) REQUIRE node.uuid IS UNIQUE
