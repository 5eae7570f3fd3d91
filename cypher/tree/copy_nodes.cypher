// Copy nodes of a tree for a new version, without their children.
//
// mode:    write
// param:   group    STRING     group to write
// param:   version  STRING     uuid of the new version; if it was refused, nothing is written
// param:   rows     LIST<MAP>  uuid of the copy, source (uuid)
// returns: nodes    INTEGER    created
CYPHER 25
MATCH (:Version {uuid: $version, group: $group})
UNWIND $rows AS row
MATCH (source:TreeNode {uuid: row.source, group: $group})
CREATE (copy:$(labels(source)))
SET copy = source {.*, uuid: row.uuid}
RETURN count(*) AS nodes
