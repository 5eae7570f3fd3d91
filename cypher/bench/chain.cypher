// Link the synthetic episodes of a group with NEXT.
//
// mode:    write
// param:   group   STRING   group to write
// returns: number  INTEGER  links created
CYPHER 25
MATCH (episode:Episode {group: $group})
MATCH (next:Episode {group: $group, session: episode.session, position: episode.position + 1})
MERGE (episode)-[:NEXT]->(next)
RETURN count(*) AS number
