// Stages of a group: unfinished imports and deletions.
//
// mode:    schema
CYPHER 25
CREATE INDEX tree_stage_group IF NOT EXISTS
FOR (node:TreeStage) ON (node.group)
