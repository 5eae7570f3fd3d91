// One page of a group's entities with vectors, by uuid.
//
// mode:    read
// param:   group    STRING        whose memory
// param:   after    STRING        uuid of the last one of the page before; empty for the first
// param:   limit    INTEGER       most rows
// returns: uuid     STRING
// returns: name     STRING
// returns: tags     LIST<STRING>
// returns: speaker  BOOLEAN
// returns: vector   LIST<FLOAT>
CYPHER 25
MATCH (entity:Entity {group: $group})
WHERE entity.uuid > $after AND entity.embedding IS NOT NULL
WITH entity
ORDER BY entity.uuid
LIMIT $limit
RETURN entity.uuid AS uuid, entity.name AS name, coalesce(entity.tags, []) AS tags,
       coalesce(entity.speaker, false) AS speaker, entity.embedding AS vector
ORDER BY uuid
