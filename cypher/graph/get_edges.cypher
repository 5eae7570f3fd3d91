// Some of a group's facts by uuid; those that are not there are left out.
//
// mode:    read
// param:   group  STRING        whose memory
// param:   uuids  LIST<STRING>
// returns: item   MAP           properties without the embedding, in the order of the uuids
CYPHER 25
UNWIND range(0, size($uuids) - 1) AS place
MATCH (edge:Edge {uuid: $uuids[place]})
WHERE edge.group = $group
RETURN edge {.*, embedding: NULL} AS item
ORDER BY place
