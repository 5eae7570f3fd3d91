// Drop the vector index category_embedding, to recreate it with other dimensions.
//
// mode:    schema
CYPHER 25
DROP INDEX category_embedding IF EXISTS
