// Nearest categories within a hierarchy and a layer. Options: see V0027.
//
// mode:    schema
// param:   dimensions  INTEGER  of the embedding model
CYPHER 25
CREATE VECTOR INDEX category_embedding IF NOT EXISTS
FOR (node:Category) ON node.embedding
WITH [node.group, node.hierarchy, node.layer]
OPTIONS {indexConfig: {
  `vector.dimensions`: $dimensions,
  `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: false,
  `vector.hnsw.m`: 16,
  `vector.hnsw.ef_construction`: 100
}}
