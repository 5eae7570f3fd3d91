// Create nodes of a tree for a new version; parents come before their children, and may be missing.
//
// mode:    write
// param:   group    STRING     whose memory
// param:   version  STRING     uuid of the new version; where it was refused, nothing is written
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
