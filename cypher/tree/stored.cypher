// Number of stored tree nodes of a group, over all versions.
//
// mode:    read
// param:   group  STRING   group to read
// returns: nodes  INTEGER
CYPHER 25
RETURN COUNT { MATCH (:TreeNode {group: $group}) } + COUNT { MATCH (:Version {group: $group}) } AS nodes
