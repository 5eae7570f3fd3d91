// Facts of a group by their relation.
//
// mode:    schema
CYPHER 25
CREATE INDEX edge_relation IF NOT EXISTS
FOR (node:Edge) ON (node.group, node.relation)
