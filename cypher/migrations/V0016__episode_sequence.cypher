// All episodes of a group in the order of their arrival, by pages.
//
// mode:    schema
CYPHER 25
CREATE INDEX episode_sequence IF NOT EXISTS
FOR (node:Episode) ON (node.group, node.sequence)
