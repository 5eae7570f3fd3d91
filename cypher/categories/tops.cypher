// The top categories of the current generation, and how many entities were placed in each since the build.
//
// mode:    read
// param:   group      STRING   group to read
// returns: hierarchy  STRING   uuid of the root
// returns: layers     INTEGER  layers of the hierarchy
// returns: uuid       STRING
// returns: name       STRING
// returns: leaves     INTEGER  entities under it
// returns: placed     INTEGER  of these, placed since the build
CYPHER 25
MATCH (root:Hierarchy {group: $group, kind: 'entities'})
WHERE root.current
WITH root
ORDER BY root.generation DESC
LIMIT 1
MATCH (root)-[link:CONTAINS]->(category:Category)
RETURN root.uuid AS hierarchy, coalesce(root.layers, category.layer) AS layers, category.uuid AS uuid,
       category.name AS name, coalesce(category.leaves, 0) AS leaves, coalesce(category.placed, 0) AS placed
ORDER BY link.position, uuid
