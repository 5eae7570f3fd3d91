// Every fact of a group compared with a vector: what an index saves.
//
// mode:    read
// param:   group   STRING   whose memory
// param:   vector  VECTOR   unit length
// param:   limit   INTEGER  most rows
// returns: uuid    STRING
// returns: score   FLOAT    (1 + cosine) / 2, best first
CYPHER 25
MATCH (edge:Edge {group: $group})
RETURN edge.uuid AS uuid, vector.similarity.cosine(edge.embedding, $vector) AS score
ORDER BY score DESC
LIMIT $limit
