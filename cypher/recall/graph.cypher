// What a question brought, to be drawn: the nodes by uuid, the entities that the facts are about, and how they hang together.
//
// mode:    read
// param:   group       STRING         whose memory
// param:   episodes    LIST<STRING>   uuids; those of another group or of none are left out
// param:   entities    LIST<STRING>   uuids; one that nothing else drawn touches is left out
// param:   edges       LIST<STRING>   uuids
// param:   categories  LIST<STRING>   uuids
// returns: nodes          LIST<NODE>          each once
// returns: relationships  LIST<RELATIONSHIP>  between them, each once
CYPHER 25
CALL () {
  MATCH (node:Episode)
  WHERE node.uuid IN $episodes AND node.group = $group
  RETURN node
  UNION
  MATCH (node:Edge)
  WHERE node.uuid IN $edges AND node.group = $group
  RETURN node
  UNION
  MATCH (edge:Edge)-[:SUBJECT|OBJECT]->(node:Entity)
  WHERE edge.uuid IN $edges AND edge.group = $group AND node.group = $group
  RETURN node
  UNION
  MATCH (node:Entity)
  WHERE node.uuid IN $entities AND node.group = $group
  RETURN node
  UNION
  MATCH (node:Category)
  WHERE node.uuid IN $categories AND node.group = $group
  RETURN node
}
WITH collect(node) AS found
CALL (found) {
  UNWIND found AS start
  MATCH (start)-[tie:STATES|MENTIONS|SUBJECT|OBJECT|CONTAINS]->(end)
  WHERE end IN found
  RETURN collect(DISTINCT tie) AS ties
}
WITH found, ties, [tie IN ties | startNode(tie)] + [tie IN ties | endNode(tie)] AS tied
RETURN [node IN found WHERE NOT node:Entity OR node IN tied] AS nodes, ties AS relationships
