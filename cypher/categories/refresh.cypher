// Say anew what some categories are about, and count what is under them.
//
// mode:    write
// param:   group    STRING     whose memory
// param:   model    STRING     that made the vectors
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
