// Tree nodes by the model that embedded them.
//
// mode:    schema
CYPHER 25
CREATE INDEX tree_node_model IF NOT EXISTS
FOR (node:TreeNode) ON (node.embedding_model)
