// Open a new generation of the categories, or resume one whose build was interrupted.
//
// A builder loses its claim after `patience` seconds without a heartbeat, or if its process is known to be dead.
//
// mode:    write
// param:   group       STRING          group to build
// param:   uuid        STRING          uuid for a new root
// param:   owner       STRING          id of the builder
// param:   stale       STRING          a builder known to be dead, or the empty string
// param:   patience    INTEGER         seconds without a heartbeat after which another builder may take over
// param:   created_at  ZONED DATETIME  creation time of a new root
// returns: left        INTEGER         seconds that the claim of another builder still lasts unless it is renewed; 0 if this one has it
// returns: root        MAP             properties; `owner` holds the claim; `draft_keys` and `draft_replies` are stored LLM replies
CYPHER 25
OPTIONAL MATCH (known:Hierarchy {group: $group, kind: 'entities'})
WITH coalesce(max(known.generation), 0) AS newest,
     max(CASE WHEN known.building THEN known.generation END) AS open
MERGE (root:Hierarchy {group: $group, kind: 'entities', generation: coalesce(open, newest + 1)})
ON CREATE SET root.uuid = $uuid, root.current = false, root.building = true, root.revision = 0,
              root.created_at = $created_at, root.calls = 0, root.inserts = 0, root.draft_keys = [],
              root.draft_replies = [], root.owner = $owner, root.heard = datetime()
WITH root, root.owner IN [$owner, $stale] OR root.heard < datetime() - duration({seconds: $patience}) AS claimed
SET root.owner = CASE WHEN claimed THEN $owner ELSE root.owner END,
    root.heard = CASE WHEN claimed THEN datetime() ELSE root.heard END
RETURN CASE
         WHEN claimed THEN 0
         ELSE $patience - duration.inSeconds(root.heard, datetime()).seconds
       END AS left,
       root {.*} AS root
