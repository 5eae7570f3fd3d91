// Record the embedding model, and whether all vectors are from it.
//
// mode:    write
// param:   model       STRING
// param:   dimensions  INTEGER
// param:   status      STRING   ready or reembedding
CYPHER 25
MERGE (meta:Meta {id: 'mnemo'})
SET meta.embedding_model = $model, meta.dimensions = $dimensions, meta.status = $status
