// Write the names and tags of reviewed categories, and record the number of entities at the review.
//
// mode:    write
// param:   group    STRING        group to write
// param:   rows     LIST<MAP>     uuid, name, tags, leaves (number of entities under it)
// returns: uuid     STRING        one row per category
// returns: parents  LIST<STRING>  uuids of its parent categories
CYPHER 25
UNWIND $rows AS row
MATCH (category:Category {uuid: row.uuid})
WHERE category.group = $group
SET category.name = row.name, category.tags = row.tags, category.said = row.leaves
RETURN row.uuid AS uuid, COLLECT {
  MATCH (category)<-[:CONTAINS]-(parent:Category)
  RETURN parent.uuid
} AS parents
