// The root of a hierarchy that grows in place: made if it is not there.
//
// mode:    write
// param:   group       STRING          whose memory
// param:   kind        STRING          episodes or entities
// param:   uuid        STRING          of a new one
// param:   created_at  ZONED DATETIME  of a new one
// returns: root        MAP             properties
CYPHER 25
MERGE (root:Hierarchy {group: $group, kind: $kind, generation: 1})
ON CREATE SET root.uuid = $uuid, root.current = true, root.revision = 0, root.created_at = $created_at,
              root.calls = 0, root.inserts = 0
RETURN root {.*} AS root
