// Episodes that some categories of the tree over episodes rest on: for each the nearest to a question.
//
// mode:    read
// param:   group       STRING        whose memory
// param:   uuids       LIST<STRING>  of categories
// param:   vector      VECTOR        the question
// param:   scan        INTEGER       most leaves looked at for each
// param:   limit       INTEGER       most episodes for each
// returns: uuid        STRING        of the category
// returns: properties  MAP           of an episode, without the vector; nearest first
CYPHER 25
UNWIND $uuids AS uuid
MATCH (category:Category {uuid: uuid})
WHERE category.group = $group
CALL (category) {
  MATCH (category)-[:CONTAINS]->+(leaf:Episode)
  WITH leaf
  LIMIT $scan
  WITH leaf
  ORDER BY vector.similarity.cosine(leaf.embedding, $vector) DESC, leaf.uuid
  LIMIT $limit
  RETURN leaf
}
RETURN uuid, leaf {.*, embedding: NULL} AS properties
ORDER BY uuid, vector.similarity.cosine(leaf.embedding, $vector) DESC, leaf.uuid
