// Some of a group's episodes by uuid; those that are not there are left out.
//
// mode:    read
// param:   group  STRING        whose memory
// param:   uuids  LIST<STRING>
// returns: item   MAP           properties without the embedding, in the order of the uuids
CYPHER 25
UNWIND range(0, size($uuids) - 1) AS place
MATCH (episode:Episode {uuid: $uuids[place]})
WHERE episode.group = $group
RETURN episode {.*, embedding: NULL} AS item
ORDER BY place
