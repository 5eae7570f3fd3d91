// Hierarchies of a group.
//
// mode:    schema
CYPHER 25
CREATE INDEX hierarchy_group IF NOT EXISTS
FOR (node:Hierarchy) ON (node.group)
