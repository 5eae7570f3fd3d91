// All entities under some categories, each once, as nodes: for procedures and people.
//
// mode:    read
// param:   group          STRING          whose memory
// param:   categories     LIST<STRING>    uuids
// param:   visible_until  ZONED DATETIME  entities that an episode mentioned by then
// param:   limit          INTEGER         most rows
// returns: entity         NODE
// returns: within         INTEGER         how many of the given categories contain it, directly or not
CYPHER 25
UNWIND $categories AS uuid
MATCH (category:Category {uuid: uuid})
WHERE category.group = $group
MATCH (category)-[:CONTAINS]->+(entity:Entity)
WHERE EXISTS { MATCH (entity)<-[:MENTIONS]-(seen:Episode) WHERE seen.visible_from <= $visible_until }
WITH entity, count(DISTINCT category) AS within
RETURN entity, within
ORDER BY within DESC, entity.name, entity.uuid
LIMIT $limit
