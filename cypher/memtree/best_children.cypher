// Of all that some nodes of the tree over episodes hold, the nearest to a question: one level of a traversal.
//
// mode:    read
// param:   group          STRING          whose memory
// param:   parents        LIST<STRING>    uuids of the hierarchy or of categories
// param:   vector         VECTOR          the question
// param:   visible_until  ZONED DATETIME  episodes of then or earlier
// param:   since          ZONED DATETIME  episodes from then on; the distant past for any
// param:   until          ZONED DATETIME  episodes before then
// param:   sessions       LIST<STRING>    lowest and highest session_key
// param:   speakers       LIST<STRING>    lowest and highest speaker_key
// param:   limit          INTEGER         most rows
// returns: category       BOOLEAN         else it is an episode
// returns: properties     MAP             without the vector
// returns: cosine         FLOAT           to the question
// returns: above          LIST<STRING>    uuids of the categories above it
CYPHER 25
UNWIND $parents AS parent
CALL (parent) {
  MATCH (node:Hierarchy {uuid: parent})
  WHERE node.group = $group
  RETURN node
  UNION ALL
  MATCH (node:Category {uuid: parent})
  WHERE node.group = $group
  RETURN node
}
MATCH (node)-[:CONTAINS]->(child:Category|Episode)
WHERE child:Category OR (
  child.session_key >= $sessions[0] AND child.session_key <= $sessions[1]
  AND child.speaker_key >= $speakers[0] AND child.speaker_key <= $speakers[1]
  AND child.occurred_key >= $since AND child.occurred_key < $until
  AND child.visible_from <= $visible_until
)
WITH child, 2.0 * vector.similarity.cosine(child.embedding, $vector) - 1.0 AS cosine
ORDER BY cosine DESC, child.uuid
LIMIT $limit
CALL (child) {
  MATCH (child)<-[:CONTAINS]-+(upper:Category)
  RETURN collect(upper.uuid) AS above
}
RETURN child:Category AS category, child {.*, embedding: NULL} AS properties, cosine, above
ORDER BY cosine DESC, child.uuid
