// Write the new vectors of nodes of one label; nodes that no longer exist are skipped.
//
// mode:    write
// param:   label   STRING     Episode, Entity, Edge, Category, TreeNode or Version
// param:   model   STRING     model that made the vectors
// param:   rows    LIST<MAP>  uuid, vector
// returns: number  INTEGER    nodes written
CYPHER 25
UNWIND $rows AS row
CALL (row) {
  MATCH (node:Episode {uuid: row.uuid})
  WHERE $label = 'Episode'
  RETURN node
  UNION ALL
  MATCH (node:Entity {uuid: row.uuid})
  WHERE $label = 'Entity'
  RETURN node
  UNION ALL
  MATCH (node:Edge {uuid: row.uuid})
  WHERE $label = 'Edge'
  RETURN node
  UNION ALL
  MATCH (node:Category {uuid: row.uuid})
  WHERE $label = 'Category'
  RETURN node
  UNION ALL
  MATCH (node:TreeNode {uuid: row.uuid})
  WHERE $label = 'TreeNode'
  RETURN node
  UNION ALL
  MATCH (node:Version {uuid: row.uuid})
  WHERE $label = 'Version'
  RETURN node
}
SET node.embedding_model = $model
WITH node, row
CALL db.create.setNodeVectorProperty(node, 'embedding', row.vector)
RETURN count(*) AS number
