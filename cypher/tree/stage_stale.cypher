// Stages whose nodes no version will have: those closed, and those of writers that were not heard of for long.
//
// mode:    read
// param:   group  STRING  whose memory
// returns: uuid   STRING
CYPHER 25
MATCH (stage:TreeStage {group: $group})
WHERE stage.closed OR stage.until <= datetime()
RETURN stage.uuid AS uuid
ORDER BY uuid
