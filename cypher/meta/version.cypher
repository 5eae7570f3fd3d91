// Version of the Neo4j server.
//
// No CYPHER version prefix, so that servers of any age can answer.
//
// mode:    read
// returns: version  STRING  such as 2026.09.0
CALL dbms.components() YIELD name, versions
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version
