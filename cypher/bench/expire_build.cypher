// Expire the claim on a group's build of categories, for tests.
//
// mode:    write
// param:   group    STRING   group to write
// returns: expired  INTEGER
CYPHER 25
MATCH (root:Hierarchy {group: $group, kind: 'entities'})
WHERE root.building
SET root.heard = datetime() - duration({days: 1})
RETURN count(root) AS expired
