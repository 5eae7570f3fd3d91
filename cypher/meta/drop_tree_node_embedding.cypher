// Drop the vector index tree_node_embedding, to recreate it with other dimensions.
//
// mode:    schema
CYPHER 25
DROP INDEX tree_node_embedding IF EXISTS
