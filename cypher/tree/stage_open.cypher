// Begin to store nodes that no version has yet; what an earlier import under the same name stored is closed.
//
// mode:    write
// param:   group    STRING   whose memory
// param:   stage    STRING   uuid of the new stage
// param:   name     STRING   of what is imported
// param:   seconds  INTEGER  how long it outlives its last batch, by the database's clock
// returns: closed   INTEGER  stages of that name
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
