// The versions of a tree, oldest first.
//
// mode:    read
// param:   group       STRING  group to read
// param:   tree        STRING  its name
// returns: uuid        STRING
// returns: number      INTEGER
// returns: parent      INTEGER  number of the parent version; null for the first version, or if the parent was deleted
// returns: summary     STRING
// returns: request     STRING
// returns: created_at  ZONED DATETIME
// returns: active      BOOLEAN
CYPHER 25
MATCH (tree:Tree {group: $group, name: $tree})-[:HAS_VERSION]->(version:Version)
OPTIONAL MATCH (version)-[:PARENT]->(parent:Version)
RETURN version.uuid AS uuid, version.number AS number, parent.number AS parent, version.summary AS summary,
  version.request AS request, version.created_at AS created_at,
  EXISTS { (tree)-[:ACTIVE]->(version) } AS active
ORDER BY number
