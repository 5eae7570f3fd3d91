// One tree: its shape, its versions in a line each, and which is active.
//
// mode:    read
// param:   group     STRING  whose memory
// param:   tree      STRING  its name
// returns: uuid      STRING
// returns: root      STRING  the root's type
// returns: revision  INTEGER  counts writes
// returns: next      INTEGER  the number of the next version
// returns: schema    STRING  JSON: all types and attributes that some version has or had
// returns: active    INTEGER  the active version's number
// returns: nodes     INTEGER  nodes of the active version
// returns: counts    STRING  JSON: nodes of the active version by type
// returns: numbers   LIST<INTEGER>  of the versions, oldest first
CYPHER 25
MATCH (tree:Tree {group: $group, name: $tree})-[:ACTIVE]->(version:Version)
RETURN tree.uuid AS uuid, tree.root AS root, tree.revision AS revision, tree.next AS next, tree.schema AS schema,
  version.number AS active, version.nodes AS nodes, version.counts AS counts,
  COLLECT {
    MATCH (tree)-[:HAS_VERSION]->(other:Version)
    RETURN other.number ORDER BY other.number
  } AS numbers
