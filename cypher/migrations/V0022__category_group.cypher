// Categories of a group.
//
// mode:    schema
CYPHER 25
CREATE INDEX category_group IF NOT EXISTS
FOR (node:Category) ON (node.group)
