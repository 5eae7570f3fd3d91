// Which plugin is installed on this server; fails without one.
//
// mode:    read
// returns: version  STRING  of mnemo, such as 0.1.0
// returns: build    STRING  SHA-256 of what it was built from; empty in a Maven build
CYPHER 25
CALL mnemo.version() YIELD version, build
RETURN version, build
