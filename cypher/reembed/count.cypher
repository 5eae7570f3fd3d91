// Number of vectors in all groups, and how many are from another model.
//
// mode:    read
// param:   model   STRING   current embedding model
// returns: total   INTEGER  all vectors
// returns: stale   INTEGER  vectors from another model
CYPHER 25
MATCH (node:Episode|Entity|Edge|Category|TreeNode|Version)
WHERE node.embedding IS NOT NULL
RETURN count(*) AS total, count(CASE WHEN coalesce(node.embedding_model, '') <> $model THEN 1 END) AS stale
