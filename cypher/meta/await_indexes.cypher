// Wait until all indexes are online.
//
// mode:    read
// param:   seconds  INTEGER  longest wait
CYPHER 25
CALL db.awaitIndexes($seconds)
