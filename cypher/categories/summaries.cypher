// What some categories are about: their name and tags, and the names of what they hold.
//
// mode:    read
// param:   group    STRING        whose memory
// param:   uuids    LIST<STRING>  of categories
// param:   limit    INTEGER       most names of each
// returns: uuid     STRING
// returns: name     STRING
// returns: tags     LIST<STRING>
// returns: members  LIST<STRING>  names, by position
CYPHER 25
UNWIND $uuids AS uuid
MATCH (category:Category {uuid: uuid})
WHERE category.group = $group
RETURN uuid, category.name AS name, coalesce(category.tags, []) AS tags, COLLECT {
  MATCH (category)-[tie:CONTAINS]->(child:Category|Entity)
  RETURN child.name
  ORDER BY tie.position, child.uuid
  LIMIT $limit
} AS members
