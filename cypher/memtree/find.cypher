// The current hierarchy of a kind.
//
// mode:    read
// param:   group   STRING  whose memory
// param:   kind    STRING  episodes or entities
// returns: root    MAP     properties
CYPHER 25
MATCH (root:Hierarchy {group: $group, kind: $kind})
WHERE root.generation >= 1 AND root.current
RETURN root {.*} AS root
ORDER BY root.generation DESC
LIMIT 1
