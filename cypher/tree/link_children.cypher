// Link nodes to further children that are already stored.
//
// mode:    write
// param:   group    STRING     group to write
// param:   version  STRING     uuid of the new version; if it was refused, nothing is written
// param:   rows     LIST<MAP>  parent, child (uuids), position, ordinal
// returns: links    INTEGER    created
CYPHER 25
MATCH (:Version {uuid: $version, group: $group})
UNWIND $rows AS row
MATCH (parent:TreeNode {uuid: row.parent, group: $group})
MATCH (child:TreeNode {uuid: row.child, group: $group})
CREATE (parent)-[:CHILD {position: row.position, ordinal: row.ordinal}]->(child)
RETURN count(*) AS links
