// Drop the vector index entity_embedding, to recreate it with other dimensions.
//
// mode:    schema
CYPHER 25
DROP INDEX entity_embedding IF EXISTS
