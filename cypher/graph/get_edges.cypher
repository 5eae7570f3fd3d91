// Facts of a group by uuid; missing ones are left out.
//
// mode:    read
// param:   group  STRING        group to read
// param:   uuids  LIST<STRING>
// returns: item   MAP           properties without the embedding, in the order of the uuids
CYPHER 25
UNWIND range(0, size($uuids) - 1) AS place
MATCH (edge:Edge {uuid: $uuids[place]})
WHERE edge.group = $group
RETURN edge {.*, embedding: NULL} AS item
ORDER BY place
