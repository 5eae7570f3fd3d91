// The names and tags the categories, and the names of their first members.
//
// mode:    read
// param:   group    STRING        group to read
// param:   uuids    LIST<STRING>  the categories
// param:   limit    INTEGER       most member names per category
// returns: uuid     STRING
// returns: name     STRING
// returns: tags     LIST<STRING>
// returns: members  LIST<STRING>  member names by position
CYPHER 25
UNWIND $uuids AS uuid
MATCH (category:Category {uuid: uuid})
WHERE category.group = $group
RETURN uuid, category.name AS name, coalesce(category.tags, []) AS tags, COLLECT {
  MATCH (category)-[link:CONTAINS]->(child:Category|Entity)
  RETURN child.name
  ORDER BY link.position, child.uuid
  LIMIT $limit
} AS members
