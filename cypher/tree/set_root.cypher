// Give a new version its root: a node that is stored already.
//
// mode:    write
// param:   group    STRING  whose memory
// param:   version  STRING  uuid
// param:   root     STRING  uuid
// returns: roots    INTEGER  1, or 0 when the version was refused
CYPHER 25
MATCH (version:Version {uuid: $version, group: $group})
MATCH (root:TreeNode {uuid: $root, group: $group})
CREATE (version)-[:ROOT]->(root)
RETURN count(*) AS roots
