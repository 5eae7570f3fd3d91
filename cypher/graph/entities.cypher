// One page of a group's entities, ordered by name.
//
// mode:    read
// param:   group    STRING     group to read
// param:   after    STRING     name_key of the last entity on the previous page, or the empty string
// param:   limit    INTEGER    most rows
// returns: total    INTEGER    number of entities on all pages
// returns: items    LIST<MAP>  properties without the embedding, in order
CYPHER 25
CALL () {
  MATCH (entity:Entity {group: $group})
  RETURN count(entity) AS total
}
CALL () {
  MATCH (entity:Entity {group: $group})
  WHERE entity.name_key > $after
  WITH entity
  ORDER BY entity.name_key
  LIMIT $limit
  RETURN collect(entity {.*, embedding: NULL}) AS items
}
RETURN total, items
