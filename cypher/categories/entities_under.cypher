// All entities under one category that have an embedding.
//
// mode:    read
// param:   group    STRING   group to read
// param:   uuid     STRING   the category
// returns: uuid     STRING
// returns: name     STRING
// returns: tags     LIST<STRING>
// returns: speaker  BOOLEAN
// returns: vector   LIST<FLOAT>
CYPHER 25
MATCH (category:Category {uuid: $uuid})
WHERE category.group = $group
MATCH (category)-[:CONTAINS]->+(entity:Entity)
WITH DISTINCT entity
WHERE entity.embedding IS NOT NULL
RETURN entity.uuid AS uuid, entity.name AS name, coalesce(entity.tags, []) AS tags,
       coalesce(entity.speaker, false) AS speaker, entity.embedding AS vector
ORDER BY uuid
