// Episodes of a group; a composite index does not serve queries by its first property alone.
//
// mode:    schema
CYPHER 25
CREATE INDEX episode_group IF NOT EXISTS
FOR (node:Episode) ON (node.group)
