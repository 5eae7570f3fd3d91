// Versions of a group's trees.
//
// mode:    schema
CYPHER 25
CREATE INDEX version_group IF NOT EXISTS
FOR (node:Version) ON (node.group)
