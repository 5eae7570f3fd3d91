// Nearest episodes within a group, a session, a speaker's own and a stretch of time.
//
// @VT@
//
// mode:    schema
// param:   dimensions  INTEGER  of the embedding model
CYPHER 25
CREATE VECTOR INDEX episode_embedding IF NOT EXISTS
FOR (node:Episode) ON node.embedding
WITH [node.group, node.session_key, node.speaker_key, node.occurred_key, node.visible_from]
OPTIONS {indexConfig: {
  `vector.dimensions`: $dimensions,
  `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: false,
  `vector.hnsw.m`: 16,
  `vector.hnsw.ef_construction`: 100
}}
