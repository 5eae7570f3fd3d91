// Pending episodes of all groups, to know which groups have some.
//
// mode:    schema
CYPHER 25
CREATE INDEX episode_pending IF NOT EXISTS
FOR (node:Episode) ON (node.status)
