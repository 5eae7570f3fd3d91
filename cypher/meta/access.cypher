// Whether a database takes writes, on each server that has it.
//
// mode:    read
// param:   name    STRING  of the database
// returns: access  STRING  read-write or read-only
SHOW DATABASE $name YIELD access
