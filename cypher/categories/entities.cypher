// One page of a group's entities that have an embedding, ordered by uuid.
//
// mode:    read
// param:   group    STRING        group to read
// param:   after    STRING        last uuid of the previous page; empty for the first page
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
