// Version of the plugin on this server; fails without the plugin.
//
// mode:    read
// returns: version  STRING  of mnemo, such as 0.1.0
// returns: build    STRING  SHA-256 of its sources; empty in a Maven build
CYPHER 25
CALL mnemo.version() YIELD version, build
RETURN version, build
