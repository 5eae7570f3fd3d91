// Names of the plugin's procedures on this server.
//
// mode:    read
// returns: name  STRING  such as mnemo.search.system1
CYPHER 25
SHOW PROCEDURES YIELD name
WHERE name STARTS WITH 'mnemo.'
RETURN name
ORDER BY name
