// Episodes of a group: an index over several properties serves no question about its first one alone.
//
// mode:    schema
CYPHER 25
CREATE INDEX episode_group IF NOT EXISTS
FOR (node:Episode) ON (node.group)
