// Drop the vector index edge_embedding, to make it anew with other dimensions.
//
// mode:    schema
CYPHER 25
DROP INDEX edge_embedding IF EXISTS
