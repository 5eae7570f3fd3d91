// One tree: its schema, node counts, version numbers and active version.
//
// mode:    read
// param:   group     STRING  group to read
// param:   tree      STRING  its name
// returns: uuid      STRING
// returns: root      STRING  the root's type
// returns: revision  INTEGER  counts writes
// returns: next      INTEGER  the number of the next version
// returns: schema    STRING  JSON: all types and attributes that any version has or had
// returns: active    INTEGER  the active version's number
// returns: nodes     INTEGER  nodes of the active version
// returns: counts    STRING  JSON: nodes of the active version by type
// returns: numbers   LIST<INTEGER>  version numbers, oldest first
CYPHER 25
MATCH (tree:Tree {group: $group, name: $tree})-[:ACTIVE]->(version:Version)
RETURN tree.uuid AS uuid, tree.root AS root, tree.revision AS revision, tree.next AS next, tree.schema AS schema,
  version.number AS active, version.nodes AS nodes, version.counts AS counts,
  COLLECT {
    MATCH (tree)-[:HAS_VERSION]->(other:Version)
    RETURN other.number ORDER BY other.number
  } AS numbers
