// The uuid of a TreeNode node is unique.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT tree_node_uuid IF NOT EXISTS
FOR (node:TreeNode) REQUIRE node.uuid IS UNIQUE
