// The children of some memtree nodes nearest to a question: one level of a traversal.
//
// mode:    read
// param:   group          STRING          group to read
// param:   parents        LIST<STRING>    the root or categories
// param:   vector         VECTOR          embedding of the question
// param:   visible_until  ZONED DATETIME  episodes visible by then
// param:   since          ZONED DATETIME  episodes from then on; the distant past for all
// param:   until          ZONED DATETIME  episodes before then
// param:   sessions       LIST<STRING>    lowest and highest session_key allowed
// param:   speakers       LIST<STRING>    lowest and highest speaker_key allowed
// param:   limit          INTEGER         most rows
// returns: category       BOOLEAN         whether it is a category, else an episode
// returns: properties     MAP             properties without the embedding
// returns: cosine         FLOAT           similarity to the question
// returns: above          LIST<STRING>    all categories above it
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
  MATCH (child)<-[:CONTAINS]-+(ancestor:Category)
  RETURN collect(ancestor.uuid) AS above
}
RETURN child:Category AS category, child {.*, embedding: NULL} AS properties, cosine, above
ORDER BY cosine DESC, child.uuid
