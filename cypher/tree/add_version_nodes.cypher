// Create nodes for a new version of a tree; parents come before their children, and the top nodes have none.
//
// mode:    write
// param:   group    STRING     group to write
// param:   version  STRING     uuid of the new version; if it was refused, nothing is written
// param:   rows     LIST<MAP>  parent (uuid or null), position, ordinal, label, properties, vector
// returns: nodes    INTEGER    created
CYPHER 25
MATCH (:Version {uuid: $version, group: $group})
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
