// The root of a group's memtree, as a node for procedures.
//
// mode:    read
// param:   group  STRING  group to read
// returns: root   NODE
CYPHER 25
MATCH (root:Hierarchy {group: $group, kind: 'episodes'})
WHERE root.generation >= 1 AND root.current
RETURN root
ORDER BY root.generation DESC
LIMIT 1
