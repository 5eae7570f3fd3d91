// Nearest entities within a group. Options: see V0027.
//
// mode:    schema
// param:   dimensions  INTEGER  of the embedding model
CYPHER 25
CREATE VECTOR INDEX entity_embedding IF NOT EXISTS
FOR (node:Entity) ON node.embedding
WITH [node.group]
OPTIONS {indexConfig: {
  `vector.dimensions`: $dimensions,
  `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: false,
  `vector.hnsw.m`: 16,
  `vector.hnsw.ef_construction`: 100
}}
