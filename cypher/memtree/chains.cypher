// Where some leaves hang: the categories above each, from the root down.
//
// mode:    read
// param:   group       STRING        whose memory
// param:   hierarchy   STRING        uuid of the root
// param:   uuids       LIST<STRING>  of episodes
// returns: uuid        STRING        of the episode; no row for one that is not in the tree
// returns: categories  LIST<STRING>  uuids, nearest the root first
CYPHER 25
UNWIND $uuids AS uuid
MATCH (episode:Episode {uuid: uuid})
WHERE episode.group = $group
MATCH (root:Hierarchy {uuid: $hierarchy, group: $group}) (()-[:CONTAINS]->(above))* (last)-[:CONTAINS]->(episode)
RETURN uuid, [node IN above | node.uuid] AS categories
