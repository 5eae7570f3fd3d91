// Names of the plugin's procedures on this server.
//
// mode:    read
// returns: name  STRING  such as mnemo.search.gather
CYPHER 25
SHOW PROCEDURES YIELD name
WHERE name STARTS WITH 'mnemo.'
RETURN name
ORDER BY name
