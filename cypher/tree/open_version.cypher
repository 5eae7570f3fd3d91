// Create a new version of a tree and make it active; refused, with nothing written, if the base is not active.
//
// mode:    write
// param:   group    STRING   group to write
// param:   tree     STRING   its name
// param:   base     INTEGER  version the change is based on; must be the active one
// param:   parent   INTEGER  parent of the new version: the base, or the version being reverted to
// param:   version  MAP      properties of the new Version
// param:   vector   VECTOR   embedding of the version's text
// param:   schema   STRING   new schema of the tree as JSON, or null to keep it
// returns: active   INTEGER  active version before the change
// returns: number   INTEGER  number of the new version; null if it was refused
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
