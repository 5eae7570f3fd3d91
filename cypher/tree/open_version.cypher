// Make a new version of a tree and make it active, unless another came first: then nothing is written.
//
// mode:    write
// param:   group    STRING   whose memory
// param:   tree     STRING   its name
// param:   base     INTEGER  the version that the change is based on; it must be the active one
// param:   parent   INTEGER  the version it is made from: the base, or the one that is gone back to
// param:   version  MAP      properties of the new Version
// param:   vector   VECTOR   of the version's text
// param:   schema   STRING   JSON for the tree, or null to leave it
// returns: active   INTEGER  before the change
// returns: number   INTEGER  of the new version; null when it was refused
CYPHER 25
MATCH (tree:Tree {group: $group, name: $tree})
SET tree.locked = true
WITH tree
MATCH (tree)-[current:ACTIVE]->(active:Version)
OPTIONAL MATCH (tree)-[:HAS_VERSION]->(parent:Version {number: $parent})
WHERE active.number = $base
CALL (tree, current, active, parent) {
  WITH * WHERE parent IS NOT NULL
  CREATE (tree)-[:HAS_VERSION {position: tree.next, ordinal: COUNT { (tree)-[:HAS_VERSION]->() } + 1}]
    ->(version:Version)-[:PARENT]->(parent)
  SET version = $version, version.group = $group, version.tree = tree.uuid, version.number = tree.next,
      tree.next = tree.next + 1, tree.revision = tree.revision + 1, tree.schema = coalesce($schema, tree.schema)
  DELETE current
  CREATE (tree)-[:ACTIVE]->(version)
  WITH version
  CALL db.create.setNodeVectorProperty(version, 'embedding', $vector)
  RETURN collect(version.number) AS made
}
REMOVE tree.locked
RETURN active.number AS active, head(made) AS number
