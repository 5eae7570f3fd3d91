// Give up the claim on a generation that is being built, so that another may go on with it at once.
//
// mode:    write
// param:   group      STRING   whose memory
// param:   hierarchy  STRING   uuid of the root that is being built
// param:   owner      STRING   who builds
// returns: released   INTEGER  1; no row when another has taken over, or when it is built
CYPHER 25
MATCH (root:Hierarchy {uuid: $hierarchy})
WHERE root.group = $group AND root.owner = $owner AND root.building
SET root.heard = datetime('0001-01-01T00:00:00Z')
RETURN 1 AS released
