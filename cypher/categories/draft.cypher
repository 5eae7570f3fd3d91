// Keep a reply that a build has paid for, and say that the builder is alive.
//
// mode:    write
// param:   group      STRING        whose memory
// param:   hierarchy  STRING        uuid of the root that is being built
// param:   owner      STRING        who builds
// param:   keys       LIST<STRING>  of the replies; may be empty
// param:   replies    LIST<STRING>  JSON
// returns: kept       INTEGER       replies in all; no row when another has taken over
CYPHER 25
MATCH (root:Hierarchy {uuid: $hierarchy})
WHERE root.group = $group AND root.owner = $owner AND root.building
SET root.draft_keys = root.draft_keys + $keys, root.draft_replies = root.draft_replies + $replies,
    root.heard = datetime()
RETURN size(root.draft_keys) AS kept
