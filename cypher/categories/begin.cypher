// The root of a new generation of the hierarchy over entities, or of one whose builder was stopped.
//
// A builder that has not been heard of for some time has lost its claim.
//
// mode:    write
// param:   group       STRING          whose memory
// param:   uuid        STRING          of a new root
// param:   owner       STRING          who builds
// param:   patience    INTEGER         seconds without a sign after which another may take over
// param:   created_at  ZONED DATETIME  of a new root
// returns: root        MAP             properties; owner tells who may build; draft_keys and draft_replies what was paid for
CYPHER 25
OPTIONAL MATCH (known:Hierarchy {group: $group, kind: 'entities'})
WITH coalesce(max(known.generation), 0) AS newest,
     max(CASE WHEN known.building THEN known.generation END) AS open
MERGE (root:Hierarchy {group: $group, kind: 'entities', generation: coalesce(open, newest + 1)})
ON CREATE SET root.uuid = $uuid, root.current = false, root.building = true, root.revision = 0,
              root.created_at = $created_at, root.calls = 0, root.inserts = 0, root.draft_keys = [],
              root.draft_replies = [], root.owner = $owner, root.heard = datetime()
WITH root, root.owner = $owner OR root.heard < datetime() - duration({seconds: $patience}) AS ours
SET root.owner = CASE WHEN ours THEN $owner ELSE root.owner END,
    root.heard = CASE WHEN ours THEN datetime() ELSE root.heard END
RETURN root {.*} AS root
