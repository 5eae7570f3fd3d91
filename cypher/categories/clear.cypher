// Delete the categories of old generations, and those an interrupted build wrote.
//
// The generation before the current one is kept until the next build, so that running queries can finish.
//
// mode:    write
// param:   group      STRING   group to clean up
// param:   building   STRING   uuid of a root whose categories will be rewritten, or the empty string
// param:   limit      INTEGER  most categories deleted
// returns: deleted    INTEGER  categories deleted; call again until it is 0
CYPHER 25
OPTIONAL MATCH (now:Hierarchy {group: $group, kind: 'entities'})
WHERE now.current
WITH coalesce(max(now.generation), 0) - 1 AS kept
MATCH (root:Hierarchy {group: $group, kind: 'entities'})
WHERE root.generation < kept OR root.uuid = $building
CALL (root) {
  OPTIONAL MATCH (category:Category {group: $group})
  WHERE category.hierarchy = root.uuid
  LIMIT $limit
  DETACH DELETE category
  RETURN count(category) AS gone
}
WITH root, gone
FOREACH (old IN CASE WHEN gone = 0 AND root.uuid <> $building THEN [root] ELSE [] END | DETACH DELETE old)
RETURN sum(gone) AS deleted
