// Nodes that an edit changes: their own state and the types of their children, in order.
//
// mode:    read
// param:   group       STRING  group to read
// param:   uuids       LIST<STRING>  of the nodes
// returns: uuid        STRING
// returns: key         STRING  the same in all versions
// returns: type        STRING
// returns: attributes  STRING  JSON
// returns: layout      STRING  JSON, or null
// returns: children    LIST<STRING>  types
CYPHER 25
UNWIND $uuids AS uuid
MATCH (node:TreeNode {uuid: uuid, group: $group})
RETURN node.uuid AS uuid, node.key AS key, node.type AS type, node.attributes AS attributes, node.layout AS layout,
  COLLECT {
    MATCH (node)-[link:CHILD]->(child:TreeNode)
    RETURN child.type ORDER BY link.position
  } AS children
