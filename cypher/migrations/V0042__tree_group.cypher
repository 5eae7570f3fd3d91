// Trees of a group.
//
// mode:    schema
CYPHER 25
CREATE INDEX tree_group IF NOT EXISTS
FOR (node:Tree) ON (node.group)
