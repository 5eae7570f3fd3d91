// The uuid of a Category node is unique.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT category_uuid IF NOT EXISTS
FOR (node:Category) REQUIRE node.uuid IS UNIQUE
