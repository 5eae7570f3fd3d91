// Delete a batch of benchmark nodes, in groups whose names have a prefix.
//
// mode:    write
// param:   prefix  STRING   prefix of the group names, such as bench-search
// param:   limit   INTEGER  most nodes of each kind
// returns: number  INTEGER  nodes deleted
CYPHER 25
CALL () {
  MATCH (node:Edge|Episode|Entity)
  WHERE node.group STARTS WITH $prefix OR node.group_id STARTS WITH $prefix
  RETURN node
  LIMIT $limit
}
DETACH DELETE node
RETURN count(*) AS number
