// Release the claim on a generation being built, so that another builder can resume it at once.
//
// mode:    write
// param:   group      STRING   group being built
// param:   hierarchy  STRING   uuid of the root being built
// param:   owner      STRING   id of the builder
// returns: released   INTEGER  1; no row if another builder has taken over or the build has finished
CYPHER 25
MATCH (root:Hierarchy {uuid: $hierarchy})
WHERE root.group = $group AND root.owner = $owner AND root.building
SET root.heard = datetime('0001-01-01T00:00:00Z')
RETURN 1 AS released
