// Replace the subtree of a top category with new categories, in one transaction.
//
// Old categories that another category contains too are kept. The new ones were written before with the property
// `unseen`, which is removed here.
//
// mode:    write
// param:   group     STRING     group to write
// param:   top       STRING     uuid of the category whose subtree is replaced
// param:   children  LIST<MAP>  uuid and position of its new children
// returns: gone      INTEGER    categories deleted; no row if the top category no longer exists
CYPHER 25
MATCH (top:Category {uuid: $top})
WHERE top.group = $group
SET top.placed = 0
WITH top
CALL (top) {
  MATCH (top)-[:CONTAINS]->+(old:Category)
  RETURN collect(DISTINCT old) AS below
}
CALL (top) {
  MATCH (top)-[link:CONTAINS]->(:Category)
  DELETE link
}
CALL (top) {
  UNWIND $children AS row
  MATCH (child:Category {uuid: row.uuid})
  WHERE child.group = $group
  MERGE (top)-[link:CONTAINS]->(child)
  SET link.position = row.position
}
CALL (top) {
  MATCH (top)-[:CONTAINS]->+(fresh:Category)
  WHERE fresh.unseen
  REMOVE fresh.unseen
}
CALL (below) {
  UNWIND below AS old
  WITH old
  WHERE NOT EXISTS { MATCH (old) (()<-[:CONTAINS]-(:Category))* ()<-[:CONTAINS]-(:Hierarchy) }
  DETACH DELETE old
  RETURN count(*) AS gone
}
RETURN gone
