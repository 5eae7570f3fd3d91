// Wait until every index is online.
//
// mode:    read
// param:   seconds  INTEGER  how long at most
CYPHER 25
CALL db.awaitIndexes($seconds)
