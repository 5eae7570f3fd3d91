// Delete categories of generations that nobody reads: those before the last one, and what a stopped build wrote.
//
// The generation before the current one stays until the next build, so that queries under way can end.
//
// mode:    write
// param:   group      STRING   whose memory
// param:   building   STRING   uuid of a root that is about to be written anew, or the empty string
// param:   limit      INTEGER  most categories
// returns: deleted    INTEGER  categories; call it until there are none
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
