// The root of a group's memtree; created if there is none.
//
// mode:    write
// param:   group       STRING          group to write
// param:   kind        STRING          episodes, the kind of the memtree
// param:   uuid        STRING          uuid for a new root
// param:   created_at  ZONED DATETIME  creation time of a new root
// returns: root        MAP             properties
CYPHER 25
MERGE (root:Hierarchy {group: $group, kind: $kind, generation: 1})
ON CREATE SET root.uuid = $uuid, root.current = true, root.revision = 0, root.created_at = $created_at,
              root.calls = 0, root.inserts = 0
RETURN root {.*} AS root
