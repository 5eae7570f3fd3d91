// Drop the vector index episode_embedding, to recreate it with other dimensions.
//
// mode:    schema
CYPHER 25
DROP INDEX episode_embedding IF EXISTS
