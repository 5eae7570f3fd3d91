// Number of nodes of each kind in a group.
//
// mode:    read
// param:   group       STRING   group to read
// returns: episodes    INTEGER
// returns: entities    INTEGER
// returns: edges       INTEGER
// returns: categories  INTEGER
// returns: trees       INTEGER
CYPHER 25
RETURN COUNT { MATCH (node:Episode {group: $group}) } AS episodes,
       COUNT { MATCH (node:Entity {group: $group}) } AS entities,
       COUNT { MATCH (node:Edge {group: $group}) } AS edges,
       COUNT { MATCH (node:Category {group: $group}) } AS categories,
       COUNT { MATCH (node:Tree {group: $group}) } AS trees
