// Drop the vector index edge_embedding, to recreate it with other dimensions.
//
// mode:    schema
CYPHER 25
DROP INDEX edge_embedding IF EXISTS
