// Delete those of some categories that hold nothing any more.
//
// mode:    write
// param:   group       STRING        whose memory
// param:   uuids       LIST<STRING>  of categories
// returns: deleted     LIST<STRING>  uuids of those
// returns: parents     LIST<STRING>  uuids of the categories that held one of them
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
