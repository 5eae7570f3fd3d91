// Delete nodes of trees that no version and no parent has any more; their children may be next.
//
// mode:    write
// param:   group     STRING  whose memory
// param:   uuids     LIST<STRING>  of nodes that may have been left
// returns: children  LIST<STRING>  uuids of the children of those deleted
CYPHER 25
UNWIND $uuids AS uuid
MATCH (node:TreeNode {uuid: uuid, group: $group})
WHERE NOT EXISTS { (node)<-[:ROOT|CHILD]-() }
WITH node, COLLECT { MATCH (node)-[:CHILD]->(child:TreeNode) RETURN child.uuid } AS children
DETACH DELETE node
WITH collect(children) AS lists
RETURN reduce(all = [], list IN lists | all + list) AS children
