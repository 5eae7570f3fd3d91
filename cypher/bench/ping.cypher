// Minimal query, to measure the bare round trip.
//
// mode:    read
// returns: one  INTEGER
CYPHER 25
RETURN 1 AS one
