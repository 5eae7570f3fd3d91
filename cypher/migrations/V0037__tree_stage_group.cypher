// What imports and deletions of a group have left to do.
//
// mode:    schema
CYPHER 25
CREATE INDEX tree_stage_group IF NOT EXISTS
FOR (node:TreeStage) ON (node.group)
