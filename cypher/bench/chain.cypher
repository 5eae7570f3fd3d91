// Join made-up episodes of a group to their next ones.
//
// mode:    write
// param:   group   STRING   whose memory
// returns: number  INTEGER  links made
CYPHER 25
MATCH (episode:Episode {group: $group})
MATCH (next:Episode {group: $group, session: episode.session, position: episode.position + 1})
MERGE (episode)-[:NEXT]->(next)
RETURN count(*) AS number
