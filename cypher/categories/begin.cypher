// Open a new generation of the categories, or resume one whose build was interrupted.
//
// A builder loses its claim after `patience` seconds without a heartbeat.
//
// mode:    write
// param:   group       STRING          group to build
// param:   uuid        STRING          uuid for a new root
// param:   owner       STRING          id of the builder
// param:   patience    INTEGER         seconds without a heartbeat after which another builder may take over
// param:   created_at  ZONED DATETIME  creation time of a new root
// returns: root        MAP             properties; `owner` holds the claim; `draft_keys` and `draft_replies` are stored LLM replies
CYPHER 25
OPTIONAL MATCH (known:Hierarchy {group: $group, kind: 'entities'})
WITH coalesce(max(known.generation), 0) AS newest,
     max(CASE WHEN known.building THEN known.generation END) AS open
MERGE (root:Hierarchy {group: $group, kind: 'entities', generation: coalesce(open, newest + 1)})
ON CREATE SET root.uuid = $uuid, root.current = false, root.building = true, root.revision = 0,
              root.created_at = $created_at, root.calls = 0, root.inserts = 0, root.draft_keys = [],
              root.draft_replies = [], root.owner = $owner, root.heard = datetime()
WITH root, root.owner = $owner OR root.heard < datetime() - duration({seconds: $patience}) AS claimed
SET root.owner = CASE WHEN claimed THEN $owner ELSE root.owner END,
    root.heard = CASE WHEN claimed THEN datetime() ELSE root.heard END
RETURN root {.*} AS root
