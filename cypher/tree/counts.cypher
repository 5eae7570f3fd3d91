// Node counts by type in the subtrees of nodes, including the nodes themselves.
//
// mode:    read
// param:   group  STRING  group to read
// param:   uuids  LIST<STRING>  the nodes; none is below another
// returns: type   STRING
// returns: nodes  INTEGER
CYPHER 25
UNWIND $uuids AS uuid
MATCH (:TreeNode {uuid: uuid, group: $group}) (()-[:CHILD]->())* (node:TreeNode)
RETURN node.type AS type, count(*) AS nodes
ORDER BY type
