// Drop the vector index tree_node_embedding, to make it anew with other dimensions.
//
// mode:    schema
CYPHER 25
DROP INDEX tree_node_embedding IF EXISTS
