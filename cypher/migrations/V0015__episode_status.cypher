// Episodes of a group by status, in the order of their arrival.
//
// mode:    schema
CYPHER 25
CREATE INDEX episode_status IF NOT EXISTS
FOR (node:Episode) ON (node.group, node.status, node.sequence)
