// Close a stage and delete some of the nodes that only it holds; call again until nothing is left.
//
// A node's children are linked to the stage before the node is deleted, so an interrupted sweep leaves no orphans.
//
// mode:    write
// param:   group    STRING   group to write
// param:   stage    STRING   uuid of the stage
// param:   limit    INTEGER  most nodes, and most relationships, changed in one call
// returns: deleted  INTEGER  nodes deleted
// returns: left     BOOLEAN  whether the stage still holds nodes; an empty stage is deleted
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
