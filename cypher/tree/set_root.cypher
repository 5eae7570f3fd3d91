// Set the root of a new version to a node that is already stored.
//
// mode:    write
// param:   group    STRING  group to write
// param:   version  STRING  its uuid
// param:   root     STRING  its uuid
// returns: roots    INTEGER  1, or 0 if the version was refused
CYPHER 25
MATCH (version:Version {uuid: $version, group: $group})
MATCH (root:TreeNode {uuid: $root, group: $group})
CREATE (version)-[:ROOT]->(root)
RETURN count(*) AS roots
