// The top categories of the current hierarchy, and how much came to each since it was built.
//
// mode:    read
// param:   group      STRING   whose memory
// returns: hierarchy  STRING   uuid of the root
// returns: layers     INTEGER  of the hierarchy
// returns: uuid       STRING
// returns: name       STRING
// returns: leaves     INTEGER  entities under it
// returns: placed     INTEGER  of these, placed since it was built
CYPHER 25
MATCH (root:Hierarchy {group: $group, kind: 'entities'})
WHERE root.current
WITH root
ORDER BY root.generation DESC
LIMIT 1
MATCH (root)-[tie:CONTAINS]->(category:Category)
RETURN root.uuid AS hierarchy, coalesce(root.layers, category.layer) AS layers, category.uuid AS uuid,
       category.name AS name, coalesce(category.leaves, 0) AS leaves, coalesce(category.placed, 0) AS placed
ORDER BY tie.position, uuid
