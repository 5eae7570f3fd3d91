// Every node below one, with its parent: siblings in order, parents in no order.
//
// mode:    read
// param:   group       STRING  whose memory
// param:   uuid        STRING  of the node
// returns: parent      STRING  uuid
// returns: uuid        STRING
// returns: key         STRING  the same over versions
// returns: type        STRING
// returns: attributes  STRING  JSON
// returns: layout      STRING  JSON, or null
CYPHER 25
MATCH (top:TreeNode {uuid: $uuid, group: $group}) (()-[:CHILD]->())* (parent)-[link:CHILD]->(node:TreeNode)
RETURN parent.uuid AS parent, node.uuid AS uuid, node.key AS key, node.type AS type,
  node.attributes AS attributes, node.layout AS layout
ORDER BY link.position
