// Uuids of a group's episodes, entities and facts that begin with a prefix.
//
// mode:    read
// param:   group   STRING   whose memory
// param:   prefix  STRING   first characters of a uuid
// param:   limit   INTEGER  most rows
// returns: uuid    STRING   ascending
CYPHER 25
CALL () {
  MATCH (node:Episode)
  USING INDEX node:Episode(uuid)
  WHERE node.uuid STARTS WITH $prefix AND node.group = $group
  RETURN node.uuid AS uuid
  UNION ALL
  MATCH (node:Entity)
  USING INDEX node:Entity(uuid)
  WHERE node.uuid STARTS WITH $prefix AND node.group = $group
  RETURN node.uuid AS uuid
  UNION ALL
  MATCH (node:Edge)
  USING INDEX node:Edge(uuid)
  WHERE node.uuid STARTS WITH $prefix AND node.group = $group
  RETURN node.uuid AS uuid
}
RETURN uuid
ORDER BY uuid
LIMIT $limit
