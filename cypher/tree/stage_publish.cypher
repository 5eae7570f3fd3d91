// Delete a stage in the transaction that adds its nodes to a version.
//
// mode:    write
// param:   group      STRING   group to write
// param:   stage      STRING   uuid of the stage; if it is closed or gone there is no row, and the transaction must be rolled back
// param:   version    STRING   uuid of the version; if it was refused, the stage is kept
// returns: published  BOOLEAN
CYPHER 25
OPTIONAL MATCH (version:Version {uuid: $version, group: $group})
OPTIONAL MATCH (stage:TreeStage {uuid: $stage, group: $group})
SET stage.locked = true
WITH version, stage
WHERE version IS NULL OR NOT coalesce(stage.closed, true)
CALL (version, stage) {
  WITH stage, version WHERE version IS NOT NULL
  DETACH DELETE stage
}
RETURN version IS NOT NULL AS published
