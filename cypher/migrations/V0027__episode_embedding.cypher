// Nearest episodes within a group, session, speaker and time range.
//
// The options were chosen by measurement (scripts/bench/index_options.py vectors): 20,000 vectors of 384
// dimensions in 50 clusters, 200 questions, a filter by group, recall@20 against exact search.
//
// quantization          m   ef_construction   recall@20
// BINARY (the default)  16  100               0.50
// SCALAR                16  100               0.97
// none                  16  100               0.999  chosen
//
// With 400 clusters, whose neighbours are easier to separate, m of 8, 16 and 32 without quantisation gave
// 1.00 each and took 7, 20 and 39 s to build.
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
