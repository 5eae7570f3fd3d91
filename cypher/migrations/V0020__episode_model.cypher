// Episodes by the model that embedded them.
//
// mode:    schema
CYPHER 25
CREATE INDEX episode_model IF NOT EXISTS
FOR (node:Episode) ON (node.embedding_model)
