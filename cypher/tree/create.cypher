// Create a tree and its first version from nodes that are already stored.
//
// mode:    write
// param:   group    STRING  group to write
// param:   tree     MAP     properties of the Tree
// param:   version  MAP     properties of the Version
// param:   vector   VECTOR  embedding number of the version's text
// param:   root     STRING  uuid of the root
// param:   stage    STRING  uuid of the stage that holds the nodes; other stages of the tree's name are closed
// returns: number   INTEGER  number of the version
CYPHER 25
CALL () {
  MATCH (other:TreeStage {group: $group, name: $tree.name})
  WHERE other.uuid <> $stage
  SET other.closed = true
}
MATCH (root:TreeNode {uuid: $root, group: $group})
CREATE (tree:Tree)-[:HAS_VERSION {position: 1, ordinal: 1}]->(version:Version)-[:ROOT]->(root)
CREATE (tree)-[:ACTIVE]->(version)
SET tree = $tree, tree.group = $group, tree.next = 2, tree.revision = 1,
    version = $version, version.group = $group, version.tree = tree.uuid, version.number = 1
WITH version
CALL db.create.setNodeVectorProperty(version, 'embedding', $vector)
RETURN version.number AS number
