// How many nodes the trees of a group have in the database, versions included.
//
// mode:    read
// param:   group  STRING   whose memory
// returns: nodes  INTEGER
CYPHER 25
RETURN COUNT { MATCH (:TreeNode {group: $group}) } + COUNT { MATCH (:Version {group: $group}) } AS nodes
