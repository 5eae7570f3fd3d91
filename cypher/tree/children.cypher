// The children of nodes, in order, as a diff compares them.
//
// mode:    read
// param:   group       STRING  group to read
// param:   uuids       LIST<STRING>  of the parents
// returns: parent      STRING  uuid
// returns: uuid        STRING
// returns: key         STRING  the same in all versions
// returns: type        STRING
// returns: attributes  STRING  JSON
// returns: ordinal     INTEGER  among siblings of its type, from 1
CYPHER 25
UNWIND $uuids AS uuid
MATCH (parent:TreeNode {uuid: uuid, group: $group})-[link:CHILD]->(node:TreeNode)
RETURN parent.uuid AS parent, node.uuid AS uuid, node.key AS key, node.type AS type,
  node.attributes AS attributes, link.ordinal AS ordinal
ORDER BY parent, link.position
