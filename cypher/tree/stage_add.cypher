// Store nodes for a version to come, parents before their children; those without a parent hang on the stage.
//
// mode:    write
// param:   group    STRING   whose memory
// param:   stage    STRING   uuid; where it is closed or gone, nothing is written
// param:   seconds  INTEGER  how long it outlives this batch, by the database's clock
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
