// Store nodes for a future version, parents before their children; nodes without a parent are linked to the stage.
//
// mode:    write
// param:   group    STRING   group to write
// param:   stage    STRING   uuid of the stage; if it is closed or gone, nothing is written
// param:   seconds  INTEGER  how long the stage stays valid after this batch, by the database's clock
// param:   rows     LIST<MAP>  parent (uuid or null), position, ordinal, label, properties, vector
// returns: nodes    INTEGER  created
CYPHER 25
MATCH (stage:TreeStage {uuid: $stage, group: $group})
SET stage.until = datetime() + duration({seconds: $seconds})
WITH stage WHERE NOT stage.closed
UNWIND $rows AS row
CREATE (node:TreeNode:$(row.label))
SET node = row.properties, node.group = $group
WITH stage, row, node
CALL db.create.setNodeVectorProperty(node, 'embedding', row.vector)
CALL (row, node) {
  MATCH (parent:TreeNode {uuid: row.parent})
  WHERE parent.group = $group
  CREATE (parent)-[:CHILD {position: row.position, ordinal: row.ordinal}]->(node)
}
CALL (stage, row, node) {
  WITH * WHERE row.parent IS NULL
  CREATE (stage)-[:HOLDS]->(node)
}
RETURN count(*) AS nodes
