// All nodes of a hierarchy with their parents, in no particular order.
//
// mode:    read
// param:   group      STRING   group to read
// param:   hierarchy  STRING   uuid of the root
// param:   limit      INTEGER  most rows
// returns: parent     STRING   uuid of the root or a category; one row per parent
// returns: uuid       STRING
// returns: label      STRING   Category, Episode or Entity
// returns: position   INTEGER
// returns: name       STRING
// returns: content    STRING
// returns: speaker    STRING
// returns: tags       LIST<STRING>
// returns: layer      INTEGER
// returns: leaves     INTEGER
CYPHER 25
MATCH (root:Hierarchy {uuid: $hierarchy})
WHERE root.group = $group
CALL (root) {
  RETURN root AS node
  UNION ALL
  MATCH (node:Category {group: $group})
  WHERE node.hierarchy = $hierarchy
  RETURN node
}
MATCH (node)-[tie:CONTAINS]->(child:Category|Episode|Entity)
RETURN node.uuid AS parent, child.uuid AS uuid,
       CASE WHEN child:Category THEN 'Category' WHEN child:Episode THEN 'Episode' ELSE 'Entity' END AS label,
       tie.position AS position, child.name AS name, coalesce(child.content, child.summary, '') AS content,
       child.speaker AS speaker, coalesce(child.tags, []) AS tags, coalesce(child.layer, 0) AS layer,
       coalesce(child.leaves, 1) AS leaves
LIMIT $limit
