// Categories of one hierarchy of a group, to show or delete them together.
//
// mode:    schema
CYPHER 25
CREATE INDEX category_hierarchy IF NOT EXISTS
FOR (node:Category) ON (node.group, node.hierarchy)
