// Give categories their name and tags, the old ones or new ones, and keep how many entities they were fitting for.
//
// mode:    write
// param:   group    STRING        whose memory
// param:   rows     LIST<MAP>     uuid, name, tags, said: entities under it
// returns: uuid     STRING        one row each
// returns: parents  LIST<STRING>  uuids of the categories right above it
CYPHER 25
UNWIND $rows AS row
MATCH (category:Category {uuid: row.uuid})
WHERE category.group = $group
SET category.name = row.name, category.tags = row.tags, category.said = row.said
RETURN row.uuid AS uuid, COLLECT {
  MATCH (category)<-[:CONTAINS]-(parent:Category)
  RETURN parent.uuid
} AS parents
