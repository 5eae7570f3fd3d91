// The graph of a search result for display: nodes by uuid, the entities of facts, and the categories above them.
//
// mode:    read
// param:   group       STRING         group to read
// param:   episodes    LIST<STRING>   uuids; episodes of other groups are left out
// param:   entities    LIST<STRING>   uuids; entities unrelated to the other nodes are left out
// param:   edges       LIST<STRING>   uuids
// param:   categories  LIST<STRING>   names of the chosen categories; returned if they are above a returned entity
// returns: nodes          LIST<NODE>          no duplicates
// returns: relationships  LIST<RELATIONSHIP>  relationships between them, no duplicates; a mention is left out if a returned fact implies it
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
}
WITH collect(node) AS found
CALL (found) {
  UNWIND found AS start
  MATCH (start)-[tie:STATES|MENTIONS|SUBJECT|OBJECT]->(end)
  WHERE end IN found
    AND NOT (type(tie) = 'MENTIONS' AND EXISTS {
      MATCH (start)-[:STATES]->(edge:Edge)-[:SUBJECT|OBJECT]->(end)
      WHERE edge IN found
    })
  RETURN collect(DISTINCT tie) AS ties
}
WITH found, ties, [tie IN ties | startNode(tie)] + [tie IN ties | endNode(tie)] AS tied
WITH ties, [node IN found WHERE NOT node:Entity OR node IN tied] AS kept
CALL (kept) {
  UNWIND kept AS entity
  MATCH (entity:Entity)<-[:CONTAINS]-{1,6}(category:Category)
  WHERE entity.group = $group AND category.group = $group AND category.name IN $categories
    AND EXISTS { MATCH (root:Hierarchy {uuid: category.hierarchy}) WHERE root.group = $group AND root.current }
  RETURN collect(DISTINCT category) AS above
}
CALL (kept, above) {
  UNWIND above AS category
  MATCH (category)-[tie:CONTAINS]->(child)
  WHERE child IN kept OR child IN above
  RETURN collect(DISTINCT tie) AS holding
}
RETURN kept + above AS nodes, ties + holding AS relationships
