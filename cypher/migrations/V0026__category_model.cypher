// Categories by the model that embedded them.
//
// mode:    schema
CYPHER 25
CREATE INDEX category_model IF NOT EXISTS
FOR (node:Category) ON (node.embedding_model)
