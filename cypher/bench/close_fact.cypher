// Close a fact by hand, as a later message would.
//
// mode:    write
// param:   group  STRING          group to write
// param:   fact   STRING          text of the fact
// param:   at     ZONED DATETIME  when it stopped holding
// returns: uuid   STRING
CYPHER 25
MATCH (edge:Edge {group: $group, fact: $fact})
SET edge.valid_to = $at
RETURN edge.uuid AS uuid
