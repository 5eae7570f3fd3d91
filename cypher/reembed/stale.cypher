// A page of nodes of one label whose vectors are from another model, by uuid, in all groups.
//
// mode:    read
// param:   label    STRING   Episode, Entity, Edge, Category, TreeNode or Version
// param:   model    STRING   current embedding model
// param:   after    STRING   last uuid of the previous page, or the empty string
// param:   limit    INTEGER  most rows
// returns: uuid     STRING
// returns: content  STRING   or null, like the columns below
// returns: speaker  STRING
// returns: name     STRING
// returns: summary  STRING
// returns: fact     STRING
// returns: text     STRING
CYPHER 25
CALL () {
  MATCH (node:Episode)
  WHERE $label = 'Episode' AND node.uuid > $after
    AND node.embedding IS NOT NULL AND coalesce(node.embedding_model, '') <> $model
  RETURN node
  ORDER BY node.uuid
  LIMIT $limit
  UNION ALL
  MATCH (node:Entity)
  WHERE $label = 'Entity' AND node.uuid > $after
    AND node.embedding IS NOT NULL AND coalesce(node.embedding_model, '') <> $model
  RETURN node
  ORDER BY node.uuid
  LIMIT $limit
  UNION ALL
  MATCH (node:Edge)
  WHERE $label = 'Edge' AND node.uuid > $after
    AND node.embedding IS NOT NULL AND coalesce(node.embedding_model, '') <> $model
  RETURN node
  ORDER BY node.uuid
  LIMIT $limit
  UNION ALL
  MATCH (node:Category)
  WHERE $label = 'Category' AND node.uuid > $after
    AND node.embedding IS NOT NULL AND coalesce(node.embedding_model, '') <> $model
  RETURN node
  ORDER BY node.uuid
  LIMIT $limit
  UNION ALL
  MATCH (node:TreeNode)
  WHERE $label = 'TreeNode' AND node.uuid > $after
    AND node.embedding IS NOT NULL AND coalesce(node.embedding_model, '') <> $model
  RETURN node
  ORDER BY node.uuid
  LIMIT $limit
  UNION ALL
  MATCH (node:Version)
  WHERE $label = 'Version' AND node.uuid > $after
    AND node.embedding IS NOT NULL AND coalesce(node.embedding_model, '') <> $model
  RETURN node
  ORDER BY node.uuid
  LIMIT $limit
}
RETURN node.uuid AS uuid, node.content AS content, node.speaker AS speaker, node.name AS name,
       node.summary AS summary, node.fact AS fact, node.text AS text
ORDER BY uuid
