// A group has one lease, which says who processes it.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT lease_group IF NOT EXISTS
FOR (node:Lease) REQUIRE node.group IS UNIQUE
