// The trees of a group.
//
// mode:    read
// param:   group     STRING  group to read
// returns: uuid      STRING
// returns: name      STRING  rows are ordered by name
// returns: root      STRING  the root's type
// returns: active    INTEGER  the active version's number
// returns: versions  INTEGER
// returns: nodes     INTEGER  nodes of the active version
CYPHER 25
MATCH (tree:Tree {group: $group})-[:ACTIVE]->(version:Version)
RETURN tree.uuid AS uuid, tree.name AS name, tree.root AS root, version.number AS active,
  COUNT { (tree)-[:HAS_VERSION]->() } AS versions, version.nodes AS nodes
ORDER BY name
