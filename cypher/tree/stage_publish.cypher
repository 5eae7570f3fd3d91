// End a stage, in the transaction that gives its nodes to a version.
//
// mode:    write
// param:   group      STRING   whose memory
// param:   stage      STRING   uuid; where it is closed or gone there is no row, and the transaction must not stand
// param:   version    STRING   uuid of the version; where it was refused, the stage stays
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
