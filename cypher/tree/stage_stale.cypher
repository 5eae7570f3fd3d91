// Abandoned stages: closed ones, and those whose writer has sent no batch in time.
//
// mode:    read
// param:   group  STRING  group to read
// returns: uuid   STRING
CYPHER 25
MATCH (stage:TreeStage {group: $group})
WHERE stage.closed OR stage.until <= datetime()
RETURN stage.uuid AS uuid
ORDER BY uuid
