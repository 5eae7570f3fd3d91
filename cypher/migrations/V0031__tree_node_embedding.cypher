// Nearest nodes within a tree and a type. Options: see V0027.
//
// mode:    schema
// param:   dimensions  INTEGER  of the embedding model
CYPHER 25
CREATE VECTOR INDEX tree_node_embedding IF NOT EXISTS
FOR (node:TreeNode) ON node.embedding
WITH [node.group, node.tree, node.type]
OPTIONS {indexConfig: {
  `vector.dimensions`: $dimensions,
  `vector.similarity_function`: 'cosine',
  `vector.quantization.enabled`: false,
  `vector.hnsw.m`: 16,
  `vector.hnsw.ef_construction`: 100
}}
