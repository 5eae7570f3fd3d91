// Delete a tree and its versions; its nodes are left to delete_nodes.
//
// mode:    write
// param:   group  STRING  whose memory
// param:   tree   STRING  its name
// returns: uuid   STRING  of the tree; no row when there is none
CYPHER 25
MATCH (tree:Tree {group: $group, name: $tree})
WITH tree, tree.uuid AS uuid
OPTIONAL MATCH (tree)-[:HAS_VERSION]->(version:Version)
DETACH DELETE version
WITH DISTINCT tree, uuid
DETACH DELETE tree
RETURN uuid
