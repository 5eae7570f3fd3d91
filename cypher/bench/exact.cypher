// Exact scan of a group's facts by similarity to a vector, as a baseline for the index.
//
// mode:    read
// param:   group   STRING   group to read
// param:   vector  VECTOR   unit length
// param:   limit   INTEGER  most rows
// returns: uuid    STRING
// returns: score   FLOAT    (1 + cosine) / 2, best first
CYPHER 25
MATCH (edge:Edge {group: $group})
RETURN edge.uuid AS uuid, vector.similarity.cosine(edge.embedding, $vector) AS score
ORDER BY score DESC
LIMIT $limit
