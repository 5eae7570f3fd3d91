// How many vectors there are, and how many were made by another model; of all groups.
//
// mode:    read
// param:   model   STRING   the one that counts
// returns: total   INTEGER
// returns: stale   INTEGER
CYPHER 25
MATCH (node:Episode|Entity|Edge|Category|TreeNode|Version)
WHERE node.embedding IS NOT NULL
RETURN count(*) AS total, count(CASE WHEN coalesce(node.embedding_model, '') <> $model THEN 1 END) AS stale
