// Facts of a group.
//
// mode:    schema
CYPHER 25
CREATE INDEX edge_group IF NOT EXISTS
FOR (node:Edge) ON (node.group)
