// Facts of a group by object.
//
// mode:    schema
CYPHER 25
CREATE INDEX edge_object IF NOT EXISTS
FOR (node:Edge) ON (node.group, node.object)
