// The root of one version of a tree.
//
// mode:    read
// param:   group       STRING  group to read
// param:   tree        STRING  its name
// param:   number      INTEGER  the version
// returns: uuid        STRING
// returns: key         STRING  the same in all versions
// returns: type        STRING
// returns: attributes  STRING  JSON
// returns: layout      STRING  JSON, or null
CYPHER 25
MATCH (:Tree {group: $group, name: $tree})-[:HAS_VERSION]->(:Version {number: $number})-[:ROOT]->(root:TreeNode)
RETURN root.uuid AS uuid, root.key AS key, root.type AS type, root.attributes AS attributes, root.layout AS layout
