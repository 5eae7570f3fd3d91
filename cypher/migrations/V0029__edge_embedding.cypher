// Nearest facts within a group that held at a moment. Options: see V0027.
//
// mode:    schema
// param:   dimensions  INTEGER  of the embedding model
CYPHER 25
CREATE VECTOR INDEX edge_embedding IF NOT EXISTS
FOR (node:Edge) ON node.embedding
WITH [node.group, node.valid_from, node.valid_to, node.retired_at]
OPTIONS {indexConfig: {
  `vector.dimensions`: $dimensions,
  `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: false,
  `vector.hnsw.m`: 16,
  `vector.hnsw.ef_construction`: 100
}}
