// Pages of a group's facts in the order in which they were recorded.
//
// mode:    schema
CYPHER 25
CREATE INDEX edge_recorded IF NOT EXISTS
FOR (node:Edge) ON (node.group, node.recorded_at, node.uuid)
