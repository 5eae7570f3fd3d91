// Nodes by type in the subtrees of nodes, the nodes themselves included.
//
// mode:    read
// param:   group  STRING  whose memory
// param:   uuids  LIST<STRING>  of the nodes; none is below another
// returns: type   STRING
// returns: nodes  INTEGER
CYPHER 25
UNWIND $uuids AS uuid
MATCH (:TreeNode {uuid: uuid, group: $group}) (()-[:CHILD]->())* (node:TreeNode)
RETURN node.type AS type, count(*) AS nodes
ORDER BY type
