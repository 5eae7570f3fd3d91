// Whether a database accepts writes, on each server that hosts it.
//
// mode:    read
// param:   name    STRING  name of the database
// returns: access  STRING  read-write or read-only
SHOW DATABASE $name YIELD access
