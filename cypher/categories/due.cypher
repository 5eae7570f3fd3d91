// Categories whose name is to be looked at again: some that were touched and those above them, as far as they have grown.
//
// A category's name was fitting when it held as many entities as `said`; before it was looked at, as when it was built.
// `Speaker` and what is above it keep their name.
//
// mode:    read
// param:   group    STRING        whose memory
// param:   uuids    LIST<STRING>  of categories that were touched
// param:   growth   FLOAT         least share of the entities that have come since
// param:   limit    INTEGER       most rows
// param:   shown    INTEGER       most names of members from either end
// returns: uuid     STRING
// returns: name     STRING
// returns: tags     LIST<STRING>
// returns: layer    INTEGER
// returns: leaves   INTEGER       entities under it
// returns: members  LIST<STRING>  names of the first ones that it holds, by position
// returns: fresh    LIST<STRING>  names of some that were placed in it since it was built
// returns: taken    LIST<STRING>  names of its siblings, up to 200
CYPHER 25
MATCH (root:Hierarchy {group: $group, kind: 'entities'})
WHERE root.current
WITH root
ORDER BY root.generation DESC
LIMIT 1
UNWIND $uuids AS uuid
MATCH (home:Category {uuid: uuid})
WHERE home.group = $group AND home.hierarchy = root.uuid AND home.speaker IS NULL
MATCH (home) (()<-[:CONTAINS]-(:Category))* (category:Category)
WITH DISTINCT root, category
WITH root, category, category.leaves AS leaves, coalesce(category.said, category.leaves - category.placed) AS said
WHERE leaves > 1 AND leaves > said AND leaves - said >= $growth * said
WITH root, category, leaves
ORDER BY toFloat(leaves - said) / leaves DESC, leaves DESC, category.uuid
LIMIT $limit
RETURN category.uuid AS uuid, category.name AS name, coalesce(category.tags, []) AS tags, category.layer AS layer, leaves,
COLLECT {
  MATCH (category)-[tie:CONTAINS]->(child:Category|Entity)
  RETURN child.name
  ORDER BY tie.position, child.uuid
  LIMIT $shown
} AS members,
COLLECT {
  MATCH (category)-[tie:CONTAINS]->(child:Category|Entity)
  WHERE tie.position = 1000000
  RETURN child.name
  ORDER BY child.uuid
  LIMIT $shown
} AS fresh,
COLLECT {
  MATCH (category)<-[:CONTAINS]-(parent:Category|Hierarchy)-[:CONTAINS]->(sibling:Category)
  WHERE sibling <> category AND (parent = root OR parent.hierarchy = root.uuid)
  RETURN DISTINCT sibling.name
  LIMIT 200
} AS taken
