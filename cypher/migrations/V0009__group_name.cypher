// Each group has one Group node, which counts its episodes and holds the processing lease.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT group_name IF NOT EXISTS
FOR (node:Group) REQUIRE node.group IS UNIQUE
