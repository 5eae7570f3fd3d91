// Record which model embeds the memory, and whether all of it is embedded by that model.
//
// mode:    write
// param:   model       STRING
// param:   dimensions  INTEGER
// param:   status      STRING   ready or reembedding
CYPHER 25
MERGE (meta:Meta {id: 'mnemo'})
SET meta.embedding_model = $model, meta.dimensions = $dimensions, meta.status = $status
