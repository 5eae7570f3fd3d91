// Delete a tree and its versions; its nodes are moved to a closed stage, to be deleted in batches.
//
// mode:    write
// param:   group  STRING   group to write
// param:   tree   STRING   its name
// param:   stage  STRING   uuid for the new stage
// returns: uuid   STRING   the tree; no row if there is none
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
