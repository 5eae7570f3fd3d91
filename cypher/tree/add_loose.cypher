// Create nodes of a tree for a new version, without parents.
//
// mode:    write
// param:   group    STRING     whose memory
// param:   version  STRING     uuid of the new version; where it was refused, nothing is written
// param:   rows     LIST<MAP>  label, properties, vector
// returns: nodes    INTEGER    created
CYPHER 25
MATCH (:Version {uuid: $version, group: $group})
UNWIND $rows AS row
CREATE (node:TreeNode:$(row.label))
SET node = row.properties, node.group = $group
WITH row, node
CALL db.create.setNodeVectorProperty(node, 'embedding', row.vector)
RETURN count(*) AS nodes
