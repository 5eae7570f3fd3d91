// Let the claim of whoever builds a group's hierarchy run out, as it does by itself in time: for tests.
//
// mode:    write
// param:   group    STRING   whose memory
// returns: expired  INTEGER
CYPHER 25
MATCH (root:Hierarchy {group: $group, kind: 'entities'})
WHERE root.building
SET root.heard = datetime() - duration({days: 1})
RETURN count(root) AS expired
