// A group has one counter, which numbers its episodes in the order of their arrival.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT counter_group IF NOT EXISTS
FOR (node:Counter) REQUIRE node.group IS UNIQUE
