// Entities by the model that embedded them.
//
// mode:    schema
CYPHER 25
CREATE INDEX entity_model IF NOT EXISTS
FOR (node:Entity) ON (node.embedding_model)
