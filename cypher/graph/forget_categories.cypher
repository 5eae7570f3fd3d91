// Delete the empty ones among some categories.
//
// mode:    write
// param:   group       STRING        group to write
// param:   uuids       LIST<STRING>  categories to check
// returns: deleted     LIST<STRING>  uuids of the deleted categories
// returns: parents     LIST<STRING>  uuids of their parent categories
CYPHER 25
CALL () {
  UNWIND $uuids AS uuid
  MATCH (category:Category {uuid: uuid})
  WHERE category.group = $group AND NOT EXISTS { (category)-[:CONTAINS]->() }
  RETURN collect(category) AS empty
}
CALL (empty) {
  UNWIND empty AS category
  MATCH (parent:Category {group: $group})-[:CONTAINS]->(category)
  RETURN collect(DISTINCT parent.uuid) AS parents
}
WITH empty, parents, [category IN empty | category.uuid] AS deleted
FOREACH (node IN empty | DETACH DELETE node)
RETURN deleted, parents
