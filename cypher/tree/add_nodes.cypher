// Create nodes below existing nodes of a tree; parents come before their children.
//
// mode:    write
// param:   group   STRING  group to write
// param:   rows    LIST<MAP>  parent (uuid or null), position, ordinal, label, properties, vector
// returns: nodes   INTEGER  created
CYPHER 25
UNWIND $rows AS row
CREATE (node:TreeNode:$(row.label))
SET node = row.properties, node.group = $group
WITH row, node
CALL db.create.setNodeVectorProperty(node, 'embedding', row.vector)
CALL (row, node) {
  MATCH (parent:TreeNode {uuid: row.parent})
  WHERE parent.group = $group
  CREATE (parent)-[:CHILD {position: row.position, ordinal: row.ordinal}]->(node)
}
RETURN count(*) AS nodes
