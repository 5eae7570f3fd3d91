// Which entities share a category of layer 1 in the current hierarchy.
//
// mode:    read
// param:   group     STRING        whose memory
// returns: category  STRING        uuid
// returns: entities  LIST<STRING>  uuids
CYPHER 25
MATCH (root:Hierarchy {group: $group, kind: 'entities'})
WHERE root.current
WITH root
ORDER BY root.generation DESC
LIMIT 1
MATCH (category:Category {group: $group, hierarchy: root.uuid})
WHERE category.layer = 1
MATCH (category)-[:CONTAINS]->(entity:Entity)
RETURN category.uuid AS category, collect(entity.uuid) AS entities
ORDER BY category
