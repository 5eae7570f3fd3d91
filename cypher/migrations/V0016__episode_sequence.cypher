// Pages of a group's episodes in the order of their arrival.
//
// mode:    schema
CYPHER 25
CREATE INDEX episode_sequence IF NOT EXISTS
FOR (node:Episode) ON (node.group, node.sequence)
