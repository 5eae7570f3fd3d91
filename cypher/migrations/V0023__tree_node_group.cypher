// Tree nodes of a group.
//
// mode:    schema
CYPHER 25
CREATE INDEX tree_node_group IF NOT EXISTS
FOR (node:TreeNode) ON (node.group)
