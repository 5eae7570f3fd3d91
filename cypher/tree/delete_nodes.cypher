// Delete some nodes of a tree that has no versions any more, or never came to have one.
//
// mode:    write
// param:   group  STRING   whose memory
// param:   tree   STRING   its uuid
// param:   limit  INTEGER  most nodes deleted at once
// returns: nodes  INTEGER  deleted
CYPHER 25
MATCH (node:TreeNode {group: $group, tree: $tree})
WITH node LIMIT $limit
DETACH DELETE node
RETURN count(*) AS nodes
