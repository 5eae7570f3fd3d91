// Make a version of a tree the active one.
//
// mode:    write
// param:   group   STRING   group to write
// param:   tree    STRING   its name
// param:   number  INTEGER  the version
// returns: before  INTEGER  the number of the version that was active
CYPHER 25
MATCH (tree:Tree {group: $group, name: $tree})-[:HAS_VERSION]->(version:Version {number: $number})
SET tree.revision = tree.revision + 1
WITH tree, version
MATCH (tree)-[current:ACTIVE]->(before:Version)
DELETE current
CREATE (tree)-[:ACTIVE]->(version)
RETURN before.number AS before
