// Delete a tree and its versions; its nodes are left to a stage that is closed already.
//
// mode:    write
// param:   group  STRING   whose memory
// param:   tree   STRING   its name
// param:   stage  STRING   uuid for the stage
// returns: uuid   STRING   of the tree; no row when there is none
CYPHER 25
MATCH (tree:Tree {group: $group, name: $tree})
SET tree.locked = true
CREATE (stage:TreeStage {uuid: $stage, group: $group, name: $stage, closed: true, until: datetime()})
WITH tree, stage, tree.uuid AS uuid
CALL (tree, stage) {
  MATCH (tree)-[:HAS_VERSION]->(version:Version)-[:ROOT]->(root:TreeNode)
  MERGE (stage)-[:HOLDS]->(root)
  WITH DISTINCT version
  DETACH DELETE version
}
DETACH DELETE tree
RETURN uuid
