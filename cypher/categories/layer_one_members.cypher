// The entities of each layer-1 category of the current generation.
//
// mode:    read
// param:   group     STRING        group to read
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
