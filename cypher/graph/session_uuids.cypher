// The episodes of one session, in order.
//
// mode:    read
// param:   group    STRING   group to read
// param:   session  STRING
// returns: uuid     STRING
CYPHER 25
MATCH (episode:Episode {group: $group, session: $session})
RETURN episode.uuid AS uuid
ORDER BY episode.position
