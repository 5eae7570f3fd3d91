// End a fact by hand, as a later message would.
//
// mode:    write
// param:   group  STRING          whose memory
// param:   fact   STRING          the sentence
// param:   at     ZONED DATETIME  when it ceased to hold
// returns: uuid   STRING
CYPHER 25
MATCH (edge:Edge {group: $group, fact: $fact})
SET edge.valid_to = $at
RETURN edge.uuid AS uuid
