// Signatures and descriptions of the plugin's procedures.
//
// mode:    read
// returns: name         STRING
// returns: mode         STRING  READ, WRITE, SCHEMA or DBMS
// returns: signature    STRING  arguments and columns with their types
// returns: description  STRING
// returns: arguments    LIST<MAP>  name, type, description, default and isDeprecated of each
// returns: columns      LIST<MAP>  name, type, description and isDeprecated of each
CYPHER 25
SHOW PROCEDURES YIELD name, mode, signature, description, argumentDescription, returnDescription
WHERE name STARTS WITH 'mnemo.'
RETURN name, mode, signature, description, argumentDescription AS arguments, returnDescription AS columns
ORDER BY name
