// Write the text and embedding of categories, and recount their leaves.
//
// mode:    write
// param:   group    STRING     group to write
// param:   model    STRING     model that made the vectors
// param:   rows     LIST<MAP>  uuid, content, vector
// returns: written  INTEGER
CYPHER 25
UNWIND $rows AS row
MATCH (category:Category {uuid: row.uuid})
WHERE category.group = $group
SET category.content = row.content, category.embedding_model = $model,
    category.leaves = COUNT { MATCH (category)-[:CONTAINS]->+(leaf:Entity) RETURN DISTINCT leaf }
WITH category, row
CALL db.create.setNodeVectorProperty(category, 'embedding', row.vector)
RETURN count(category) AS written
