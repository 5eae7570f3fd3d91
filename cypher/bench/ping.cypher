// The least that a round trip can be.
//
// mode:    read
// returns: one  INTEGER
CYPHER 25
RETURN 1 AS one
