// Episodes of a group that are not in the memtree yet, in the order of their arrival.
//
// mode:    schema
CYPHER 25
CREATE INDEX episode_leafless IF NOT EXISTS
FOR (node:Episode) ON (node.group, node.leafless, node.sequence)
