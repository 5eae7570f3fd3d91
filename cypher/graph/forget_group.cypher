// Delete a batch of a group's nodes, of any label; call again until nothing is deleted.
//
// The Group node, which writers lock, is deleted last.
//
// mode:    write
// param:   group       STRING   group to delete
// param:   limit       INTEGER  most nodes of each label
// returns: episodes    INTEGER  deleted
// returns: entities    INTEGER  deleted
// returns: edges       INTEGER  deleted
// returns: categories  INTEGER  deleted
// returns: trees       INTEGER  deleted
// returns: others      INTEGER  deleted: roots, versions, tree nodes, the Group node
CYPHER 25
CALL () { MATCH (own:Group {group: $group}) SET own.forgets = coalesce(own.forgets, 0) + 1 }
CALL () { MATCH (node:Edge {group: $group}) LIMIT $limit DETACH DELETE node RETURN count(*) AS edges }
CALL () { MATCH (node:Episode {group: $group}) LIMIT $limit DETACH DELETE node RETURN count(*) AS episodes }
CALL () { MATCH (node:Category {group: $group}) LIMIT $limit DETACH DELETE node RETURN count(*) AS categories }
CALL () { MATCH (node:Entity {group: $group}) LIMIT $limit DETACH DELETE node RETURN count(*) AS entities }
CALL () { MATCH (node:TreeNode {group: $group}) LIMIT $limit DETACH DELETE node RETURN count(*) AS nodes }
CALL () { MATCH (node:Version {group: $group}) LIMIT $limit DETACH DELETE node RETURN count(*) AS versions }
CALL () { MATCH (node:Tree {group: $group}) LIMIT $limit DETACH DELETE node RETURN count(*) AS trees }
CALL () { MATCH (node:Hierarchy {group: $group}) LIMIT $limit DETACH DELETE node RETURN count(*) AS roots }
CALL () { MATCH (node:TreeStage {group: $group}) LIMIT $limit DETACH DELETE node RETURN count(*) AS stages }
WITH episodes, entities, edges, categories, trees, nodes + versions + roots + stages AS others
CALL (episodes, entities, edges, categories, trees, others) {
  WITH episodes + entities + edges + categories + trees + others AS deleted
  WHERE deleted = 0
  MATCH (node:Group {group: $group})
  DETACH DELETE node
  RETURN count(*) AS own
}
RETURN episodes, entities, edges, categories, trees, others + own AS others
