// Categories due for a name review: changed categories and those above them that have grown enough.
//
// `said` is the number of entities at the last review; without a review, the number when the category was built.
// `Speaker` and the categories above it keep their names.
//
// mode:    read
// param:   group    STRING        group to read
// param:   uuids    LIST<STRING>  changed categories
// param:   growth   FLOAT         minimum growth since the last review, as a share of `said`
// param:   limit    INTEGER       most rows
// param:   shown    INTEGER       most member names from each end
// returns: uuid     STRING
// returns: name     STRING
// returns: tags     LIST<STRING>
// returns: layer    INTEGER
// returns: leaves   INTEGER       entities under it
// returns: members  LIST<STRING>  names of its first members by position
// returns: added    LIST<STRING>  names of some members placed since the build
// returns: siblings LIST<STRING>  names of its siblings, at most 200
CYPHER 25
MATCH (root:Hierarchy {group: $group, kind: 'entities'})
WHERE root.current
WITH root
ORDER BY root.generation DESC
LIMIT 1
UNWIND $uuids AS uuid
MATCH (changed:Category {uuid: uuid})
WHERE changed.group = $group AND changed.hierarchy = root.uuid AND changed.speaker IS NULL
MATCH (changed) (()<-[:CONTAINS]-(:Category))* (category:Category)
WITH DISTINCT root, category
WITH root, category, category.leaves AS leaves, coalesce(category.said, category.leaves - category.placed) AS said
WHERE leaves > 1 AND leaves > said AND leaves - said >= $growth * said
WITH root, category, leaves
ORDER BY toFloat(leaves - said) / leaves DESC, leaves DESC, category.uuid
LIMIT $limit
RETURN category.uuid AS uuid, category.name AS name, coalesce(category.tags, []) AS tags, category.layer AS layer, leaves,
COLLECT {
  MATCH (category)-[link:CONTAINS]->(child:Category|Entity)
  RETURN child.name
  ORDER BY link.position, child.uuid
  LIMIT $shown
} AS members,
COLLECT {
  MATCH (category)-[link:CONTAINS]->(child:Category|Entity)
  WHERE link.position = 1000000
  RETURN child.name
  ORDER BY child.uuid
  LIMIT $shown
} AS added,
COLLECT {
  MATCH (category)<-[:CONTAINS]-(parent:Category|Hierarchy)-[:CONTAINS]->(sibling:Category)
  WHERE sibling <> category AND (parent = root OR parent.hierarchy = root.uuid)
  RETURN DISTINCT sibling.name
  LIMIT 200
} AS siblings
