// Close a stage and delete some of what it holds and nothing else has; call it until nothing is left.
//
// A node is deleted after its children hang on the stage: wherever this stops, nothing is out of reach.
//
// mode:    write
// param:   group    STRING   whose memory
// param:   stage    STRING   uuid
// param:   limit    INTEGER  most nodes and most relationships changed at once
// returns: deleted  INTEGER  nodes
// returns: left     BOOLEAN  whether it still holds some; without any the stage is deleted
CYPHER 25
MATCH (stage:TreeStage {uuid: $stage, group: $group})
SET stage.closed = true
WITH stage
CALL (stage) {
  MATCH (stage)-[hold:HOLDS]->(node:TreeNode)
  WHERE EXISTS { (node)<-[:ROOT|CHILD]-() }
  WITH hold LIMIT $limit
  DELETE hold
}
CALL (stage) {
  MATCH (stage)-[:HOLDS]->(node:TreeNode)-[link:CHILD]->(child:TreeNode)
  WHERE NOT EXISTS { (node)<-[:ROOT|CHILD]-() }
  WITH stage, link, child LIMIT $limit
  DELETE link
  MERGE (stage)-[:HOLDS]->(child)
}
CALL (stage) {
  MATCH (stage)-[:HOLDS]->(node:TreeNode)
  WHERE NOT EXISTS { (node)<-[:ROOT|CHILD]-() } AND NOT EXISTS { (node)-[:CHILD]->() }
  WITH node LIMIT $limit
  DETACH DELETE node
  RETURN count(*) AS deleted
}
WITH stage, deleted, EXISTS { (stage)-[:HOLDS]->() } AS left
CALL (stage, left) {
  WITH stage, left WHERE NOT left
  DELETE stage
}
RETURN deleted, left
