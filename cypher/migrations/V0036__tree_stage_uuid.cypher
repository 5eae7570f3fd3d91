// The uuid of a TreeStage node is unique.
//
// mode:    schema
CYPHER 25
CREATE CONSTRAINT tree_stage_uuid IF NOT EXISTS
FOR (node:TreeStage) REQUIRE node.uuid IS UNIQUE
