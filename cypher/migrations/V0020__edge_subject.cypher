// Facts of a group by subject and relation.
//
// mode:    schema
CYPHER 25
CREATE INDEX edge_subject IF NOT EXISTS
FOR (node:Edge) ON (node.group, node.subject, node.relation)
