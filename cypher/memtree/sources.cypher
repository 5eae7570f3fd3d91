// The episodes under each of some memtree categories that are nearest to a question.
//
// mode:    read
// param:   group       STRING        group to read
// param:   uuids       LIST<STRING>  the categories
// param:   vector      VECTOR        embedding of the question
// param:   scan        INTEGER       most leaves compared per category
// param:   limit       INTEGER       most episodes returned per category
// returns: uuid        STRING        the category
// returns: properties  MAP           properties of an episode without the embedding; nearest first
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
