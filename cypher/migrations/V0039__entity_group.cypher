// Entities of a group.
//
// mode:    schema
CYPHER 25
CREATE INDEX entity_group IF NOT EXISTS
FOR (node:Entity) ON (node.group)
