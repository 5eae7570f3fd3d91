// The categories above each of some leaves, from the root down.
//
// mode:    read
// param:   group       STRING        group to read
// param:   hierarchy   STRING        uuid of the root
// param:   uuids       LIST<STRING>  the episodes
// returns: uuid        STRING        the episode; no row if it is not in the memtree
// returns: categories  LIST<STRING>  uuids, nearest to the root first
CYPHER 25
UNWIND $uuids AS uuid
MATCH (episode:Episode {uuid: uuid})
WHERE episode.group = $group
MATCH (root:Hierarchy {uuid: $hierarchy, group: $group}) (()-[:CONTAINS]->(above))* (last)-[:CONTAINS]->(episode)
RETURN uuid, [node IN above | node.uuid] AS categories
