// Edges by the model that embedded them.
//
// mode:    schema
CYPHER 25
CREATE INDEX edge_model IF NOT EXISTS
FOR (node:Edge) ON (node.embedding_model)
