// A group has one node, which numbers its episodes and says who processes it.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT group_name IF NOT EXISTS
FOR (node:Group) REQUIRE node.group IS UNIQUE
