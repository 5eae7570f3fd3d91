// The root of a group's current hierarchy of one kind.
//
// mode:    read
// param:   group   STRING  group to read
// param:   kind    STRING  episodes (the memtree) or entities (the categories)
// returns: root    MAP     properties
CYPHER 25
MATCH (root:Hierarchy {group: $group, kind: $kind})
WHERE root.generation >= 1 AND root.current
RETURN root {.*} AS root
ORDER BY root.generation DESC
LIMIT 1
