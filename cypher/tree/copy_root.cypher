// Give a new version the root of an older version.
//
// mode:    write
// param:   group    STRING   group to write
// param:   version  STRING   uuid of the new version
// param:   number   INTEGER  the older version
// returns: roots    INTEGER  1, or 0 if the version was refused
CYPHER 25
MATCH (tree:Tree)-[:HAS_VERSION]->(version:Version {uuid: $version, group: $group})
MATCH (tree)-[:HAS_VERSION]->(older:Version {number: $number})-[:ROOT]->(root:TreeNode)
CREATE (version)-[:ROOT]->(root)
SET version.counts = older.counts, version.nodes = older.nodes
RETURN count(*) AS roots
