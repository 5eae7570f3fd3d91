// Open a stage for nodes that are in no version yet; closes stages that earlier imports of the same name left.
//
// mode:    write
// param:   group    STRING   group to write
// param:   stage    STRING   uuid of the new stage
// param:   name     STRING   name of the import
// param:   seconds  INTEGER  how long the stage stays valid after its last batch, by the database's clock
// returns: closed   INTEGER  number of stages closed
CYPHER 25
CALL () {
  MATCH (other:TreeStage {group: $group, name: $name})
  SET other.closed = true
  RETURN count(other) AS closed
}
CREATE (:TreeStage {
  uuid: $stage, group: $group, name: $name, closed: false, until: datetime() + duration({seconds: $seconds})
})
RETURN closed
