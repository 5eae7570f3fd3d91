// Entities that are in no category of the current generation.
//
// mode:    read
// param:   group  STRING   group to read
// param:   limit  INTEGER  most rows
// returns: uuid   STRING
CYPHER 25
MATCH (root:Hierarchy {group: $group, kind: 'entities'})
WHERE root.current
WITH root
ORDER BY root.generation DESC
LIMIT 1
MATCH (entity:Entity {group: $group})
WHERE entity.embedding IS NOT NULL
  AND NOT EXISTS { MATCH (entity)<-[:CONTAINS]-(held:Category) WHERE held.hierarchy = root.uuid }
RETURN entity.uuid AS uuid
ORDER BY uuid
LIMIT $limit
