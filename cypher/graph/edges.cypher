// One page of a group's facts in the order in which they were recorded.
//
// mode:    read
// param:   group    STRING          group to read
// param:   entity   STRING          uuid of their subject or object, or null for all
// param:   since    ZONED DATETIME  only facts that ended after this
// param:   until    ZONED DATETIME  only facts that started by then; the distant future includes those to come
// param:   known    ZONED DATETIME  only facts that were not retired before then
// param:   after    ZONED DATETIME  recorded_at of the last fact on the previous page
// param:   uuid     STRING          uuid of the last fact on the previous page, or the empty string
// param:   limit    INTEGER         most rows
// returns: total    INTEGER         number of facts on all pages
// returns: items    LIST<MAP>       properties without the embedding, in order
CYPHER 25
CALL () {
  MATCH (edge:Edge {group: $group})
  WHERE edge.valid_to > $since AND edge.valid_from <= $until AND edge.retired_at >= $known
    AND ($entity IS NULL OR edge.subject = $entity OR edge.object = $entity)
  RETURN count(edge) AS total
}
CALL () {
  MATCH (edge:Edge {group: $group})
  WHERE edge.recorded_at >= $after AND (edge.recorded_at > $after OR edge.uuid > $uuid)
    AND edge.valid_to > $since AND edge.valid_from <= $until AND edge.retired_at >= $known
    AND ($entity IS NULL OR edge.subject = $entity OR edge.object = $entity)
  WITH edge
  ORDER BY edge.recorded_at, edge.uuid
  LIMIT $limit
  RETURN collect(edge {.*, embedding: NULL}) AS items
}
RETURN total, items
