// Pending episodes of all groups, to find the groups that have some.
//
// mode:    schema
CYPHER 25
CREATE INDEX episode_pending IF NOT EXISTS
FOR (node:Episode) ON (node.status)
