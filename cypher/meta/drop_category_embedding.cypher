// Drop the vector index category_embedding, to make it anew with other dimensions.
//
// mode:    schema
CYPHER 25
DROP INDEX category_embedding IF EXISTS
