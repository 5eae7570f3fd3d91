// Put new categories in the place of all that is under a top category, in one transaction.
//
// Categories that another one holds too stay there. The new ones are written before, as `unseen`, and seen from here on.
//
// mode:    write
// param:   group     STRING     whose memory
// param:   top       STRING     uuid of the category whose subtree is built anew
// param:   children  LIST<MAP>  uuid and position of the new categories right under it
// returns: gone      INTEGER    categories deleted; no row when the top category is gone
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
  MATCH (top)-[tie:CONTAINS]->(:Category)
  DELETE tie
}
CALL (top) {
  UNWIND $children AS row
  MATCH (child:Category {uuid: row.uuid})
  WHERE child.group = $group
  MERGE (top)-[tie:CONTAINS]->(child)
  SET tie.position = row.position
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
