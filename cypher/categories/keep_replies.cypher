// Store LLM replies of a build and renew its claim.
//
// mode:    write
// param:   group      STRING        group being built
// param:   hierarchy  STRING        uuid of the root being built
// param:   owner      STRING        id of the builder
// param:   keys       LIST<STRING>  keys of the replies; may be empty
// param:   replies    LIST<STRING>  the replies as JSON
// returns: kept       INTEGER       replies stored so far; no row if another builder has taken over
CYPHER 25
MATCH (root:Hierarchy {uuid: $hierarchy})
WHERE root.group = $group AND root.owner = $owner AND root.building
SET root.draft_keys = root.draft_keys + $keys, root.draft_replies = root.draft_replies + $replies,
    root.heard = datetime()
RETURN size(root.draft_keys) AS kept
