// All nodes below some nodes, each with its parent; siblings in order, parents in no particular order.
//
// mode:    read
// param:   group       STRING  group to read
// param:   uuids       LIST<STRING>  of the nodes
// returns: parent      STRING  uuid
// returns: uuid        STRING
// returns: key         STRING  the same in all versions
// returns: type        STRING
// returns: attributes  STRING  JSON
// returns: layout      STRING  JSON, or null
CYPHER 25
UNWIND $uuids AS uuid
MATCH (top:TreeNode {uuid: uuid, group: $group}) (()-[:CHILD]->())* (parent)-[link:CHILD]->(node:TreeNode)
WITH DISTINCT parent, link, node
RETURN parent.uuid AS parent, node.uuid AS uuid, node.key AS key, node.type AS type,
  node.attributes AS attributes, node.layout AS layout
ORDER BY link.position
